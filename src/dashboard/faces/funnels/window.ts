import { WINDOW_SECONDS } from '../../../questions/funnels/contract.ts'
import { numberIn } from '../../forms/fields-of-form.ts'

const UNITS = [
  { unit: 'days', seconds: 86_400 },
  { unit: 'hours', seconds: 3_600 },
  { unit: 'minutes', seconds: 60 },
  { unit: 'seconds', seconds: 1 },
] as const

export const WINDOW_UNITS = UNITS.map(({ unit }) => unit)

/** The fields in which a form takes the window. */
export const WINDOW_FIELDS = { amount: 'window-amount', unit: 'window-unit' } as const

/** An address with the window in seconds, as operations take it; null if no form sent it in other units. */
export function withWindowSeconds(url: URL): URL | null {
  const params = new URLSearchParams(url.searchParams)
  const amount = params.get(WINDOW_FIELDS.amount)
  if (amount === null) return null
  const unit = params.get(WINDOW_FIELDS.unit)
  for (const name of [WINDOW_FIELDS.amount, WINDOW_FIELDS.unit, 'window_seconds']) params.delete(name)
  if (amount.trim() !== '') params.set('window_seconds', toSeconds(amount, unit))
  return new URL(`${url.pathname}?${params}`, url)
}

/** Text that is no number stays as it is: the operation reports the fault. */
export function toSeconds(amount: string, unit: string | null): string {
  const { seconds } = UNITS.find((one) => one.unit === unit) ?? UNITS[0]
  const number = numberIn(amount.trim())
  return typeof number === 'number' ? String(Math.round(number * seconds)) : amount
}

/** A window as a form shows it: in the largest unit of which it is a whole number. */
export function shownWindow(asked: string | null): { readonly amount: string; readonly unit: string } {
  const seconds = asked === null ? WINDOW_SECONDS.byDefault : Number(asked)
  if (!Number.isSafeInteger(seconds) || seconds <= 0) return { amount: asked ?? '', unit: 'seconds' }
  const found = UNITS.find((one) => seconds % one.seconds === 0) ?? UNITS[UNITS.length - 1]
  return { amount: String(seconds / (found?.seconds ?? 1)), unit: found?.unit ?? 'seconds' }
}

/** `30 days`, `1 hour` */
export function windowInWords(asked: string | null): string {
  const { amount, unit } = shownWindow(asked)
  return `${amount} ${amount === '1' ? unit.slice(0, -1) : unit}`
}
