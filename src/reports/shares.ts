import { halvesOf, type Share, WHOLE } from '../selection/share.ts'
import type { AsOf } from './daily-figures/as-of.ts'

/** What is told of each distinct text is asked in one go or, where it is too much for one answer (null), half after half. */
export async function askInShares<T>(ask: (share: Share) => Promise<T | null>): Promise<T[]> {
  const answers: T[] = []
  const shares = [WHOLE]
  for (const share of shares) {
    const answer = await ask(share)
    if (answer === null) shares.push(...halvesOf(share))
    else answers.push(answer)
  }
  return answers
}

/**
 * Asks all objects of an application: a single one for what is shown alone (its share is null), several for everything, share by
 * share. `asOf` is that of the first answer.
 */
export async function askForAll<Told, Whole extends Told>(
  objects: number,
  ask: (share: Share | null) => Promise<AsOf<Told>>,
  isWhole: (told: Told) => told is Whole,
): Promise<AsOf<Whole[]>> {
  const answers = await askInShares(async (share) => {
    const { asOf, data } = await ask(objects === 1 ? null : share)
    return isWhole(data) ? { asOf, data } : null
  })
  const [{ asOf }] = answers as [AsOf<Whole>]
  return { asOf, data: answers.map(({ data }) => data) }
}

/** What one object's answer holds at most, about. */
export const MAX_ANSWER_CHARACTERS = 2_000_000
const CHARACTERS_OF_FIGURES = 32

/** Items for an answer, as long as there is room; there always is for the first. */
export function createAnswer<T>(maxCharacters = MAX_ANSWER_CHARACTERS) {
  const items: T[] = []
  let characters = 0
  const isTooMuch = () => characters > maxCharacters && items.length > 1
  return {
    add(texts: readonly string[], item: T): void {
      if (isTooMuch()) return
      characters += CHARACTERS_OF_FIGURES + texts.reduce((sum, { length }) => sum + length, 0)
      items.push(item)
    },
    /** Null where they are too many. */
    items: (): T[] | null => (isTooMuch() ? null : items),
  }
}
