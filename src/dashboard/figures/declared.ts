import { toAmount, toCount, toDuration, toFigure, toMoney, toPercent } from '../words/format.ts'

/** What figures are counted in, and how they read. */
export interface Unit {
  readonly toText: (value: number) => string
  /** Whether an axis of them is in percent. */
  readonly isPercent?: true
}

export const COUNT: Unit = { toText: toCount }
/** Averages, such as events per user: `2.75`. */
export const RATIO: Unit = { toText: toFigure }
/** Values of a parameter, whose currency is not known if they have one. */
export const VALUE: Unit = { toText: toAmount }
export const PERCENT: Unit = { toText: toPercent, isPercent: true }
export const SECONDS: Unit = { toText: toDuration }

/** Amounts of a currency: without one, no page can show them. */
export function money(currency: string): Unit {
  return { toText: (amount) => toMoney(amount, currency) }
}

/** What a figure is, said once: tiles, plots, tables, bars and cards are drawn from it. */
export interface Declared {
  readonly label: string
  readonly hint?: string
  readonly unit: Unit
  /** What a rise is, unless it is good. */
  readonly rise?: 'bad' | 'neutral'
}

/** Stands where there is no figure. */
export const NO_FIGURE = '–'

export function textOf({ unit }: Pick<Declared, 'unit'>, value: number | null | undefined): string {
  return value === null || value === undefined ? NO_FIGURE : unit.toText(value)
}

/** The name of an interval that is not over: its figures can still change. */
export function soFar(interval: string): string {
  return `${interval} (so far)`
}

/** Says beside figures that some are of an interval that is not over. */
export function dashedNote(interval: string): string {
  return `Dashed: the ${interval} is not over, so the figure can still change.`
}

/** The groups that are not listed: how many they are, and their figures together where these add up. */
export interface Others<Row> {
  readonly count: number
  readonly row?: Row | undefined
  /** Where all of them are listed. */
  readonly href?: string | undefined
}

interface AnswerWithGroups<Row> {
  readonly groups_total?: number | undefined
  readonly other?: Row | undefined
}

/** Null if all groups are listed. */
export function othersOf<Row = never>(
  { groups_total: total = 0, other }: AnswerWithGroups<Row>,
  listed: number,
  href?: string,
): Others<Row> | null {
  return total > listed ? { count: total - listed, row: other, href } : null
}

/** `Other (74)` */
export function othersLabel({ count }: Pick<Others<unknown>, 'count'>): string {
  return `Other (${toCount(count)})`
}
