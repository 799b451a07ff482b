import { guarded } from '../console.ts'

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

// biome-ignore lint/suspicious/noExplicitAny: what a page, the messenger or a wallet hands over is known by its documentation alone
type Handle = (...given: any[]) => void
type Methods = Record<string, Handle | undefined>
type Registration = (type: string, handle: Handle, isFirst: boolean) => void

/** Gets what undoes all that is done to the page. */
export type Undoing = (() => void)[]

/** Events of the window, before the page's own listeners, also where these stop the event; or of whatever `add` registers at. */
export function listen(
  undoing: Undoing,
  type: string,
  handle: Handle,
  add: Registration = addEventListener,
  remove: Registration = removeEventListener,
): void {
  const quiet = guarded(handle)
  add(type, quiet, true)
  undoing.push(() => remove(type, quiet, true))
}

/** After each call of a method, with what it was given; nothing where there is no such method, as in an older messenger. */
export function after(undoing: Undoing, target: object, method: string, handle: Handle): void {
  const original = (target as Methods)[method]
  if (!original) return
  let quiet = guarded(handle)
  const observed = function (this: unknown, ...given: unknown[]) {
    const result = original.apply(this, given)
    quiet(...given)
    return result
  }
  ;(target as Methods)[method] = observed
  undoing.push(() => {
    // Where somebody else has wrapped this function in turn it is still called.
    quiet = () => {}
    if ((target as Methods)[method] === observed) (target as Methods)[method] = original
  })
}
