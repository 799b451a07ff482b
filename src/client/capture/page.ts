import { guarded } from '../console.ts'

/** What to capture: the fields of the client configuration (`GET /v1/client/config`) that apply to pages. */
export interface PageSettings {
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
  /** Missing from services of earlier releases. */
  readonly mauve?: {
    /** Like `HomeScreenAdded`. */
    readonly mini_app_events: readonly string[]
    readonly foreground_time: boolean
    readonly errors: boolean
  }
}

/** Records a captured event. Never throws. */
export interface Capture {
  (name: string, params?: object): void
  /** The last captured page view, which is not repeated when capturing restarts. */
  path?: string
}

// biome-ignore lint/suspicious/noExplicitAny: only documentation tells what a page, the messenger or a wallet passes
type Handle = (...given: any[]) => void
type Methods = Record<string, Handle | undefined>
type Registration = (type: string, handle: Handle, isFirst: boolean) => void

/** Functions that undo everything done to the page. */
export type Undoing = (() => void)[]

/** Listens to the window, or to whatever `add` registers at, before the page's own listeners can stop the event. */
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

/** Runs `handle` after each call of a method, with its arguments. Older messengers may lack the method. */
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
    // If another script wrapped this function, it is still called.
    quiet = () => {}
    if ((target as Methods)[method] === observed) (target as Methods)[method] = original
  })
}
