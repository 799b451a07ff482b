import { changePercent } from '../questions/engine/change.ts'

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const DATE = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
const SHORT_DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' })

const BLOCKS = [...'▁▂▃▄▅▆▇█']

/** A figure as the API gives it, to two decimals. */
export function toNumber(value: number): string {
  return NUMBER.format(value)
}

function toWhole(value: number): string {
  return WHOLE.format(value)
}

/** `Sunday 22 November`, of a date `YYYY-MM-DD`. */
export function toDateWords(date: string): string {
  return DATE.format(Date.parse(date))
}

/** `22 November`. */
export function toShortDate(date: string): string {
  return SHORT_DATE.format(Date.parse(date))
}

export function toWeekday(date: string): string {
  return WEEKDAY.format(Date.parse(date))
}

/** How a figure changed: `up 13% from 111 the Sunday before`. */
export function toChange(now: number, then: number, when: string): string {
  if (now === then) return `the same as ${when}`
  if (then === 0) return `none ${when}`
  const percent = Math.abs(changePercent(now, then))
  return `${now > then ? 'up' : 'down'} ${toWhole(percent)}% from ${toNumber(then)} ${when}`
}

/** One block character for each figure, as high as the figure is. Figures that are missing or negative are as low as zero. */
export function trendLine(values: readonly (number | null)[]): string {
  const most = Math.max(0, ...values.map((value) => value ?? 0))
  const step = (value: number) => (most === 0 ? 0 : Math.round((Math.max(0, value) / most) * (BLOCKS.length - 1)))
  return values.map((value) => BLOCKS[step(value ?? 0)]).join('')
}
