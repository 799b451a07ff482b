/** Stands for the messenger id of somebody who was erased: a number as theirs was, so that the same patterns match, and nobody's. */
export const ERASED_ID = '0'

const MESSENGER_ID = /^[1-9]\d{0,15}$/

/** The messenger id that a text is; null for other texts. */
export function toMessengerId(text: string): number | null {
  const id = MESSENGER_ID.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : null
}

/** Up to five digits next to a letter are part of a word or of a random text, such as `summer5` or a UUID. */
const SHORT_DIGITS = 5
const NUMBERS = /\d{6,}|(?<![A-Za-z\d])\d{1,5}(?![A-Za-z\d])/g

/** The messenger ids that a text contains, each as a number of its own. */
export function idsIn(text: string): number[] {
  return [...text.matchAll(NUMBERS)].flatMap(([number]) => toMessengerId(number) ?? [])
}

/** The text with `ERASED_ID` for each of these ids. */
export function withoutIds(text: string, isErased: (telegramId: number) => boolean): string {
  return text.replace(NUMBERS, (number) => {
    const id = toMessengerId(number)
    return id !== null && isErased(id) ? ERASED_ID : number
  })
}

const LONG_NUMBERS = /\p{Nd}{5,}/gu

/** The text with an ellipsis, or what `insteadOf` gives, for each five or more digits in a row: whatever may be a messenger id. */
export function withoutNumbers(text: string, insteadOf: (number: string) => string = () => '…'): string {
  return text.replaceAll(LONG_NUMBERS, insteadOf)
}

/** For SQL: texts that contain an id as a number of its own match this, with a space before and after them. */
export function globOfId(telegramId: number): string {
  const text = String(telegramId)
  const beside = text.length > SHORT_DIGITS ? '[^0-9]' : '[^0-9A-Za-z]'
  return `*${beside}${text}${beside}*`
}
