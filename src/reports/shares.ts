import { halvesOf, type Share, WHOLE } from '../selection/share.ts'

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
