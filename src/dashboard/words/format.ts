import { calendarOf } from '../../base/time/calendar.ts'
import { toDate } from '../../base/time/days.ts'

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const TENTH = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const FINE = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const SMALL = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
const DAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' })
const MONTH = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'short', year: 'numeric' })
const WEEKDAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'short' })
const SECOND = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
const MOMENT = { day: 'numeric', month: 'short', year: 'numeric', ...SECOND } as const

/** When a page is made, and the time zone in which it shows moments. */
export interface Clock {
  readonly now: number
  readonly timeZone: string
}

/** How moments are written in a time zone: a formatter takes longer to make than to use. */
const formats = new Map<string, { readonly moment: Intl.DateTimeFormat; readonly time: Intl.DateTimeFormat }>()

function formatsIn(timeZone: string) {
  const known = formats.get(timeZone)
  if (known) return known
  const [moment, time] = [MOMENT, SECOND].map((parts) => new Intl.DateTimeFormat('en-GB', { timeZone, ...parts }))
  const made = { moment, time } as { moment: Intl.DateTimeFormat; time: Intl.DateTimeFormat }
  formats.set(timeZone, made)
  return made
}

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

/** The currency that the messenger's Stars have in payments. */
const STARS = 'XTR'
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))
/** How amounts of a currency are written: a formatter takes longer to make than to use. */
const moneyFormats = new Map<string, Intl.NumberFormat>()

/** `358.20 EUR`, `1,250 JPY`, `★ 250`: an amount with its currency, and with as many digits as that has. */
export function toMoney(amount: number, currency: string): string {
  if (currency === STARS) return `★${NARROW}${toAmount(amount)}`
  const isTiny = amount !== 0 && Math.abs(amount) < 0.1
  const text = isTiny || !CURRENCIES.has(currency) ? toAmount(amount) : moneyFormat(currency).format(amount)
  return `${text}${NARROW}${currency}`
}

/** Only of known currencies, which are few: payments may name any other. */
function moneyFormat(currency: string): Intl.NumberFormat {
  const known = moneyFormats.get(currency)
  if (known) return known
  const { maximumFractionDigits: digits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  const made = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  moneyFormats.set(currency, made)
  return made
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

/** A moment in ISO 8601 as `21 Nov 2026, 23:54:03` in a time zone. */
export function toMoment(iso: string, { timeZone }: Pick<Clock, 'timeZone'>): string {
  return formatsIn(timeZone).moment.format(new Date(iso))
}

/** The time of day of a moment, `23:54:03`. */
export function toTime(iso: string, { timeZone }: Pick<Clock, 'timeZone'>): string {
  return formatsIn(timeZone).time.format(new Date(iso))
}

/** The date of a moment in a time zone, `YYYY-MM-DD`. */
export function toLocalDate(iso: string, { timeZone }: Pick<Clock, 'timeZone'>): string {
  return toDate(calendarOf(timeZone).dayOf(Date.parse(iso)))
}

/** `just now`, `5 minutes ago`, `3 days ago` */
export function toAge(iso: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1000)
  if (seconds < 60) return 'just now'
  if (seconds < 3_600) return ago(seconds / 60, 'minute')
  if (seconds < 86_400) return ago(seconds / 3_600, 'hour')
  return ago(seconds / 86_400, 'day')
}

function ago(amount: number, unit: string): string {
  return `${counted(Math.floor(amount), unit)} ago`
}

/** `1 user`, `1,234 users` */
export function counted(count: number, noun: string): string {
  return `${toCount(count)} ${noun}${count === 1 ? '' : 's'}`
}
