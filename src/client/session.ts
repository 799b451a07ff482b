/** Without an event for so long, the next one begins a new session. */
const IDLE_SECONDS = 30 * 60

/** `start` in milliseconds since 1970 UTC: as text it is the session's id. `isAnnounced`: whether `Session start` was recorded. */
export type Session = readonly [start: number, isAnnounced: boolean]

/** The session of an event at this moment (milliseconds): the one that was kept, or a new one. */
export function sessionAt(kept: string | null, now: number): Session {
  const [start, last, announced] = (kept ?? '').split(' ').map(Number) as [number, number, number]
  // A clock that is set back by hours was not idle for less than no time.
  return Math.abs(now / 1000 - last) < IDLE_SECONDS ? [start, !!announced] : [now, false]
}

/** What is kept of a session after an event at this moment. Whole seconds, so that a burst of events writes it once. */
export function textOf([start, isAnnounced]: Session, now: number): string {
  return `${start} ${Math.floor(now / 1000)} ${+isAnnounced}`
}
