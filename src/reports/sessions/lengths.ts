/** The lengths that sessions are counted by: each reaches up to its bound, exclusive. */
export const LENGTHS = [
  { name: '0-5 seconds', belowMilliseconds: 5_000 },
  { name: '5-10 seconds', belowMilliseconds: 10_000 },
  { name: '11-60 seconds', belowMilliseconds: 60_000 },
  { name: '1-5 minutes', belowMilliseconds: 300_000 },
  { name: '5+ minutes', belowMilliseconds: Number.POSITIVE_INFINITY },
] as const

/** Which of them is the mean of so many sessions, at least one. It is compared without dividing, so exactly. */
export function lengthOf(milliseconds: number, sessions: number): number {
  let length = 0
  while (milliseconds >= (LENGTHS[length]?.belowMilliseconds ?? 0) * sessions) length++
  return length
}
