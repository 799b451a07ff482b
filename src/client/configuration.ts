/** What to capture: those fields of the client configuration (`GET /v1/client/config`) that mean something in a page. */
export interface CaptureSettings {
  /** Whether anything is captured. */
  readonly auto_capture: boolean
  /** Elements whose clicks are captured, like `button`. */
  readonly auto_capture_tags: readonly string[]
  /** Classes of elements whose clicks are captured. */
  readonly auto_capture_classes: readonly string[]
  /** Like `InvoiceClosed`. */
  readonly auto_capture_mini_app_events: readonly string[]
  /** Like `wallet_connected`. */
  readonly advanced_tracking_features: readonly string[]
}

/** Records an event that was captured. Never throws. */
export interface Capture {
  (name: string, params?: object): void
  /** The page view that was captured last, so that one is not repeated when capturing starts anew with other settings. */
  path?: string
}
