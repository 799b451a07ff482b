import { halvesOf, type Share, WHOLE } from '../../columns/selection/share.ts'

/** Asks about all texts in one question. A share that is too much for one answer (null) is asked in halves. */
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

const CHARACTERS_OF_FIGURES = 32

/** Collects items for an answer while there is room, at least one. */
export function createAnswer<T>(maxCharacters: number) {
  const items: T[] = []
  let characters = 0
  const isTooMuch = () => characters > maxCharacters && items.length > 1
  return {
    add(texts: readonly string[], item: T): void {
      if (isTooMuch()) return
      characters += CHARACTERS_OF_FIGURES + texts.reduce((sum, { length }) => sum + length, 0)
      items.push(item)
    },
    /** The collected items; null if they are too many for the answer. */
    items: (): T[] | null => (isTooMuch() ? null : items),
  }
}

/** The sum of a figure over all items. */
export function sumOf<T>(items: readonly T[], figureOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + figureOf(item), 0)
}
