import type { SentEvent } from './event-history.ts'
import { type Filter, noteHistory, passes } from './filter-oracle.ts'
import {
  answerFields,
  changeOf,
  daysOf,
  isIn,
  labelSeries,
  numberSeries,
  type Period,
  precedingPeriod,
} from './series-oracle.ts'
import { dayIn } from './zones.ts'

/** Frequency of use as docs/rules.md (11) has it, user by user. Shares no code with the service. */

export interface FrequencyQuestion extends Period {
  readonly filters: readonly Filter[]
}

export function answerFrequency(history: readonly SentEvent[], { filters, ...period }: FrequencyQuestion) {
  noteHistory(history)
  const passing = history.filter((event) => passes(event, filters))
  const daysOfUsers = (within: Period) =>
    [
      ...Map.groupBy(
        passing.filter(({ datetime }) => isIn(datetime, within)),
        ({ telegram_id }) => telegram_id,
      ),
    ].map(([, own]) => new Set(own.map(({ datetime }) => dayIn(datetime, period.timeZone))).size)
  const [now, before] = [daysOfUsers(period), daysOfUsers(precedingPeriod(period))]
  const counts = daysOf(period).map((_, place) => place + 1)
  const change = changeOf({ of: now.length, per: 1 }, { of: before.length, per: 1 })
  const data = counts.map((count) => now.filter((days) => days === count).length)
  return {
    xValues: labelSeries('days', counts.map(String)),
    yValues: [numberSeries({ name: 'users', data, key_value: now.length, change })],
    ...answerFields(period),
  }
}
