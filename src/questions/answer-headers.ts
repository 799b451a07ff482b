import { AS_OF_HEADERS } from './daily-figures/as-of.ts'

/** Names the first day with complete data, if an application keeps its events for a limited number of months. */
export const DATA_SINCE_HEADER = 'data-since'

/** The headers of answers from an application's objects, for a contract. */
export const ANSWER_HEADERS = {
  ...AS_OF_HEADERS,
  [DATA_SINCE_HEADER]: {
    optional:
      'The first day with complete data, `YYYY-MM-DD` (UTC). Sent only if the application keeps its events for a limited number of months. ' +
      'Figures of earlier days, and monthly figures that reach back to them, may be incomplete.',
  },
}
