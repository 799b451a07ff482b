import type { SentEvent } from './event-history.ts'
import { countUsers, type Filter, groupOf, isCalled, noteHistory, passes } from './filter-oracle.ts'
import {
  answerFields,
  byGroup,
  changeOf,
  dateOf,
  daysOf,
  groupFields,
  isIn,
  isSameGroup,
  labelSeries,
  largest,
  numberSeries,
  type Period,
  precedingPeriod,
  type Ratio,
  rounded,
} from './series-oracle.ts'

/** Event segmentation as docs/rules.md (7) has it, counted event by event. Shares no code with the service. */

export const MODES = ['uniques', 'totals', 'average', 'pct_dau'] as const

export type Mode = (typeof MODES)[number]

export interface SegmentationQuestion extends Period {
  readonly event: string
  readonly mode: Mode
  readonly filters: readonly Filter[]
  readonly groupBy: readonly string[]
}

/** The figure that a mode gives of some events, among everything that happened in the same time. */
export const FIGURES: Readonly<Record<Mode, (events: readonly SentEvent[], all: readonly SentEvent[]) => Ratio>> = {
  uniques: (events) => ({ of: usersOf(events), per: 1 }),
  totals: (events) => ({ of: events.length, per: 1 }),
  average: (events) => ({ of: events.length, per: usersOf(events) }),
  pct_dau: (events, all) => ({ of: usersOf(events) * 100, per: usersOf(all) }),
}

export function answerSegmentation(history: readonly SentEvent[], question: SegmentationQuestion) {
  noteHistory(history)
  const { event, groupBy } = question
  const found = byGroup(select(history, question), groupBy, (member) => groupOf(member, groupBy))
  const groups = found.map(({ values, members }) => {
    const name = groupBy.length === 0 ? event : values.join(', ')
    return { values, series: toSeries({ name, isOf: (own) => isSameGroup(own, values), members }, history, question) }
  })
  const shown = largest(groups)
  return {
    xValues: labelSeries('date', daysOf(question).map(dateOf)),
    yValues: shown.map(({ series }) => series),
    ...groupFields(groups, question.groupBy, question.mode === 'totals', () => {
      const isOther = (values: readonly string[]) => !shown.some((group) => isSameGroup(group.values, values))
      const members = found.filter(({ values }) => isOther(values)).flatMap((group) => group.members)
      return toSeries({ name: 'other', isOf: isOther, members }, history, question)
    }),
    ...answerFields(question),
  }
}

interface Group {
  readonly name: string
  readonly isOf: (values: readonly string[]) => boolean
  readonly members: readonly SentEvent[]
}

function toSeries({ name, isOf, members }: Group, history: readonly SentEvent[], question: SegmentationQuestion) {
  const figureOf = FIGURES[question.mode]
  const preceding = precedingPeriod(question)
  const membersBefore = select(history, { ...question, ...preceding }).filter((event) =>
    isOf(groupOf(event, question.groupBy)),
  )
  const now = figureOf(members, within(history, question))
  const before = figureOf(membersBefore, within(history, preceding))
  return numberSeries({
    name,
    data: daysOf(question).map((day) => {
      const { of, per } = figureOf(onDay(members, day, question), onDay(history, day, question))
      return per === 0 ? 0 : of / per
    }),
    key_value: rounded(now),
    change: changeOf(now, before),
  })
}

/** The events that the question is about. */
function select(history: readonly SentEvent[], { event, filters, ...period }: SegmentationQuestion): SentEvent[] {
  return within(history, period).filter((candidate) => isCalled(candidate, event) && passes(candidate, filters))
}

function within(events: readonly SentEvent[], period: Period): SentEvent[] {
  return events.filter(({ datetime }) => isIn(datetime, period))
}

function onDay(events: readonly SentEvent[], day: number, period: Period): SentEvent[] {
  return within(events, { ...period, from: day, to: day })
}

function usersOf(events: readonly SentEvent[]): number {
  return countUsers(events)
}
