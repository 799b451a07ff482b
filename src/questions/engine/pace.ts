/** About how many events a question reads before it yields. */
const EVENTS_A_STEP = 32_768
/** Opening a segment takes as long as reading this many events. */
const EVENTS_A_RUN = 256
/** Ranking a group and looking up its text takes as long as reading this many events. */
const EVENTS_A_GROUP = 32

/** Paces questions that look at many short runs, or many groups: yielding after each would take longer than the work. */
export function createPace() {
  let seen = 0
  function isDueAfter(events: number): boolean {
    seen += events
    if (seen < EVENTS_A_STEP) return false
    seen = 0
    return true
  }
  return {
    /** Whether it is time to yield, after a run with this many events. */
    isDue: (events: number) => isDueAfter(events + EVENTS_A_RUN),
    /** Whether it is time to yield, after a group. */
    isDueAfterGroup: () => isDueAfter(EVENTS_A_GROUP),
  }
}
