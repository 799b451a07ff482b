import { counted } from './format.ts'
import { daysOf, type View } from './view.ts'

/** The time that figures are compared with: `the 30 days before`. */
export function spanBefore(view: View): string {
  return daysOf(view) === 1 ? 'the day before' : `the ${counted(daysOf(view), 'day')} before`
}

/** When that was, in a sentence: `in the 30 days before`. */
export function timeBefore(view: View): string {
  return daysOf(view) === 1 ? spanBefore(view) : `in ${spanBefore(view)}`
}
