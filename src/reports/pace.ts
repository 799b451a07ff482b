/** A question yields after about so many events. */
const EVENTS_A_STEP = 32_768
/** To find and open a leaf takes as long as to look at so many events. */
const EVENTS_A_RUN = 256

/** For questions that look at many runs, most of them short: yielding after each would take longer than looking. */
export function createPace() {
  let seen = 0
  return {
    /** Whether it is time to yield, after a run of so many events. */
    isDue(events: number): boolean {
      seen += events + EVENTS_A_RUN
      if (seen < EVENTS_A_STEP) return false
      seen = 0
      return true
    },
  }
}
