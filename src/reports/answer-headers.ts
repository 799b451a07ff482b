import { AS_OF_HEADERS } from './daily-figures/as-of.ts'

/** Names the first day about which everything is known, where an application keeps its events for some months only. */
export const DATA_SINCE_HEADER = 'data-since'

/** The headers of what an application's objects answer, for a contract. */
export const ANSWER_HEADERS = {
  ...AS_OF_HEADERS,
  [DATA_SINCE_HEADER]: {
    optional:
      'The first day about which everything is known, `YYYY-MM-DD` (UTC), where the application keeps its events for some months only. ' +
      'Of earlier days events, and who else was active in the month before, may be missing.',
  },
}
