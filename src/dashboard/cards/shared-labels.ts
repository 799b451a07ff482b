import { NONE } from '../../columns/selection/filter.ts'
import { isCountry, isLanguage, labelOfValue } from '../words/labels.ts'

/** One or two short words: enough for a brand or a system, too little for a message to whoever opens a link. */
const SHORT_WORDS = /^(?=.{1,20}$)[\p{L}\d+]+([ _-][\p{L}\d+]+)?$/u

const OTHER = 'Other'

/** What a link calls a value: visitors can send any text as one, so countries and languages are those that exist. */
function sharedValue(property: string, value: string): string {
  const name = property.replace(/^first\./, '')
  const isShown =
    value === NONE ||
    (name === 'country' ? isCountry(value) : name === 'language' ? isLanguage(value) : SHORT_WORDS.test(value))
  return isShown ? labelOfValue(property, value) : OTHER
}

/** What a link calls these groups, in their order; those that would have the same name are numbered. */
export function sharedLabels(properties: readonly string[], groups: readonly string[]): string[] {
  const given = new Map<string, number>()
  return groups.map((group) => {
    const values = properties.length === 1 ? [group] : group.split(', ')
    const isClear = values.length === properties.length
    const label = isClear ? values.map((value, at) => sharedValue(properties[at] ?? '', value)).join(', ') : OTHER
    const count = (given.get(label) ?? 0) + 1
    given.set(label, count)
    return count === 1 ? label : `${label} (${count})`
  })
}
