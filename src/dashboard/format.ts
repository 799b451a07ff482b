import { MS_PER_DAY } from '../base/time/days.ts'

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const TENTH = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const FINE = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const SMALL = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
const DAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' })
const MONTH = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'short', year: 'numeric' })
const WEEKDAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'short' })
const MOMENT = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** No break may come between a number and its unit. */
const NARROW = '\u202f'

/** `1,234` */
export function toCount(value: number): string {
  return WHOLE.format(value)
}

/** `1,234`, `2.75` */
export function toFigure(value: number): string {
  return FINE.format(value)
}

/** `1,234`, `2.75`, `0.00125`: a small amount is not nothing. */
export function toAmount(value: number): string {
  return (Math.abs(value) < 1 ? SMALL : FINE).format(value)
}

/** A share in percent: `12.3%`; none at all and all of it without a fraction. */
export function toPercent(percent: number): string {
  const text = percent === 0 || percent === 100 ? String(percent) : TENTH.format(percent)
  // What is little is not nothing.
  return `${text === '0.0' ? '<0.1' : text === '100.0' ? '>99.9' : text}%`
}

export function toShare(part: number, whole: number): string {
  return toPercent(whole === 0 ? 0 : (part / whole) * 100)
}

/** A time span in its two largest units: `2 min 5 s`, `3 h 20 min`, `1.5 s`. */
export function toDuration(seconds: number): string {
  if (seconds < 10) return `${FINE.format(Math.round(seconds * 10) / 10)}${NARROW}s`
  const whole = Math.round(seconds)
  const parts = UNITS.map(({ name, size, within }) => ({ name, count: Math.floor(whole / size) % within }))
  const first = parts.findIndex(({ count }) => count > 0)
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${WHOLE.format(count)}${NARROW}${name}`)
    .join(' ')
}

const UNITS = [
  { name: 'd', size: 86_400, within: Number.POSITIVE_INFINITY },
  { name: 'h', size: 3_600, within: 24 },
  { name: 'min', size: 60, within: 60 },
  { name: 's', size: 1, within: 60 },
]

/** A day `YYYY-MM-DD` as `21 Nov 2026`. */
export function toDay(date: string): string {
  return DAY.format(new Date(`${date}T00:00:00Z`))
}

/** `Sat, 21 Nov 2026` */
export function toWeekday(date: string): string {
  return `${WEEKDAY.format(new Date(`${date}T00:00:00Z`))}, ${toDay(date)}`
}

/** `Nov 2026` */
export function toMonth(date: string): string {
  return MONTH.format(new Date(`${date}T00:00:00Z`))
}

/** A moment in ISO 8601 as `21 Nov 2026, 23:54:03`, UTC. */
export function toMoment(iso: string): string {
  return MOMENT.format(new Date(iso))
}

/** `just now`, `5 minutes ago`, `3 days ago` */
export function toAge(iso: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1000)
  if (seconds < 60) return 'just now'
  if (seconds < 3_600) return ago(seconds / 60, 'minute')
  if (seconds * 1000 < MS_PER_DAY) return ago(seconds / 3_600, 'hour')
  return ago(seconds / 86_400, 'day')
}

function ago(amount: number, unit: string): string {
  return `${counted(Math.floor(amount), unit)} ago`
}

/** `1 user`, `1,234 users` */
export function counted(count: number, noun: string): string {
  return `${toCount(count)} ${noun}${count === 1 ? '' : 's'}`
}
