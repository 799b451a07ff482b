import { halvesOf, type Share, WHOLE } from '../columns/selection/share.ts'
import type { AsOf } from './daily-figures/as-of.ts'

/** Asks about all distinct texts in one question or, if that is too much for one answer (null), half after half. */
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

/** An answer in which a list is null if it is too long for one answer. */
export type OrTooMany<Answer, List extends keyof Answer> = Omit<Answer, List> & {
  readonly [Name in List]: Answer[Name] | null
}

/**
 * Asks all objects of an application. A single one returns only what is shown (its share is null), several return everything,
 * share by share. `asOf` is that of the first answer.
 */
export async function askForAll<Answer, List extends keyof Answer>(
  objects: number,
  list: List,
  ask: (share: Share | null) => Promise<AsOf<OrTooMany<Answer, List>>>,
): Promise<AsOf<Answer[]>> {
  const answers = await askInShares(async (share) => {
    const { asOf, data } = await ask(objects === 1 ? null : share)
    return data[list] === null ? null : { asOf, data: data as Answer }
  })
  const [{ asOf }] = answers as [AsOf<Answer>]
  return { asOf, data: answers.map(({ data }) => data) }
}

/** About the largest answer of one object. */
export const MAX_ANSWER_CHARACTERS = 2_000_000
const CHARACTERS_OF_FIGURES = 32

/** Collects items for an answer while there is room, at least one. */
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
    /** Null if they are too many. */
    items: (): T[] | null => (isTooMuch() ? null : items),
  }
}

/** The sum of a figure of each. */
export function sumOf<T>(items: readonly T[], figureOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + figureOf(item), 0)
}
