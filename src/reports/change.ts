/** In percent of what was; from zero it is 100 where there is something now, else 0. */
export function changePercent(now: number, then: number): number {
  if (then === 0) return now === 0 ? 0 : 100
  return ((now - then) / then) * 100
}
