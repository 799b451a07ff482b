/** A text to search a list of users for. */
export interface UserSearch {
  /** The user's id, if the text may be one. */
  readonly id: number | null
  /** A part of a name or username, in lower case. */
  readonly text: string
  readonly isUsername: boolean
  /** The capitals of its letters beyond A to Z. */
  readonly capitals: readonly string[]
}

export function toSearch(typed: string): UserSearch {
  const isUsername = typed.startsWith('@')
  const letters = [...(isUsername ? typed.slice(1) : typed)].map(toSmall)
  return {
    id: /^[1-9]\d*$/.test(typed) && Number.isSafeInteger(Number(typed)) ? Number(typed) : null,
    text: letters.join(''),
    isUsername,
    capitals: [...new Set(letters.map((letter) => letter.toUpperCase()))].filter(isCapitalBeyondZ),
  }
}

function isCapitalBeyondZ(text: string): boolean {
  return text > 'Z' && [...text].length === 1 && toSmall(text) !== text
}

/** Lower case, but only of letters that convert back: `ß` and the dotted capital I stay as they are. */
function toSmall(character: string): string {
  const small = character.toLowerCase()
  return small.toUpperCase() === character ? small : character
}
