import { say } from './console.ts'

/** Where browsers have no locks, a page that has written nothing for so long counts as gone. */
const GONE_MS = 60_000

/**
 * Tells other pages that this one is there, by a lock. Not while it lies in the browser's cache of pages, into which no page
 * comes that holds one.
 */
export function holdLock(name: string): void {
  const hold = () => {
    const hidden = new Promise((resolve) => addEventListener('pagehide', resolve))
    request(name, {}, () => hidden)
  }
  hold()
  addEventListener('pageshow', ({ persisted }) => persisted && hold())
}

/** Runs `take` if the page is gone that held this lock. `writtenAt`: when it wrote last, in milliseconds since 1970 UTC. */
export function takeOver(name: string, writtenAt: number, take: () => void): void {
  const takeIf = (isGone: unknown) => isGone && take()
  request(name, { ifAvailable: true }, takeIf) ?? takeIf(writtenAt < Date.now() - GONE_MS)
}

/** Undefined where the browser has no locks. */
function request(
  name: string,
  options: LockOptions,
  run: (lock: Lock | null) => unknown,
): Promise<unknown> | undefined {
  return navigator.locks?.request(name, options, run).catch(say)
}
