import { SOURCE_PARTS } from '../../base/sources.ts'
import { withoutNumbers } from '../../base/text/messenger-ids.ts'
import { ACQUIRED_BY } from '../../columns/selection/filter.ts'

/** Properties whose values come from start parameters, so that they may hold ids of people, such as those of inviters. */
const HOLD_IDS: ReadonlySet<string> = new Set(['start_parameter', 'utm', ACQUIRED_BY, ...SOURCE_PARTS])

/** Whether a text names a property, of an event or of the first event, whose values may contain ids of people. */
export function namesHolderOfIds(text: string): boolean {
  return (text.match(/[\w.]+/g) ?? []).some((word) => HOLD_IDS.has(word.replace(/^first\./, '')))
}

/**
 * Masks possible ids of people in the texts of one answer: each number of five digits or more becomes `…1`, `…2` and so
 * on. Equal numbers get equal masks, so that groups stay distinct.
 */
export function maskOfAnswer(): (text: string) => string {
  const masks = new Map<string, string>()
  const maskOf = (number: string) => {
    const mask = masks.get(number) ?? `…${masks.size + 1}`
    masks.set(number, mask)
    return mask
  }
  return (text) => withoutNumbers(text, maskOf)
}
