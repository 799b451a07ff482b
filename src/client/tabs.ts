import { say } from './console.ts'

/** Without locks, a page that has written nothing for this long counts as closed. */
const GONE_MS = 60_000

/**
 * Holds a lock that shows other pages that this one is open. Releases it on `pagehide`, since browsers do not cache pages that
 * hold locks.
 */
export function holdLock(name: string): void {
  const hold = () => {
    const hidden = new Promise((resolve) => addEventListener('pagehide', resolve))
    request(name, {}, () => hidden)
  }
  hold()
  addEventListener('pageshow', ({ persisted }) => persisted && hold())
}

/** Runs `take` if the page that held this lock is closed. `writtenAt`: its last write, in milliseconds since 1970 UTC. */
export function takeOver(name: string, writtenAt: number, take: () => void): void {
  const takeIf = (isGone: unknown) => isGone && take()
  request(name, { ifAvailable: true }, takeIf) ?? takeIf(writtenAt < Date.now() - GONE_MS)
}

/** Undefined if the browser has no locks. */
function request(
  name: string,
  options: LockOptions,
  run: (lock: Lock | null) => unknown,
): Promise<unknown> | undefined {
  return navigator.locks?.request(name, options, run).catch(say)
}
