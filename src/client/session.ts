/** After this time without an event, the next one begins a new session. */
const IDLE_SECONDS = 30 * 60

/** `start`, in milliseconds since 1970 UTC, is also the session's id. `isAnnounced`: whether `Session start` was recorded. */
export type Session = readonly [start: number, isAnnounced: boolean]

/** The session of an event at this time (milliseconds): the stored one, or a new one. */
export function sessionAt(kept: string | null, now: number): Session {
  const [start, last, announced] = (kept ?? '').split(' ').map(Number) as [number, number, number]
  // `abs`: a clock that was set back by hours also ends the session.
  return Math.abs(now / 1000 - last) < IDLE_SECONDS ? [start, !!announced] : [now, false]
}

/** What to store after an event at this time. Whole seconds, so that a burst of events writes it once. */
export function textOf([start, isAnnounced]: Session, now: number): string {
  return `${start} ${Math.floor(now / 1000)} ${+isAnnounced}`
}
