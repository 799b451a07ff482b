/** An event may have megabytes of parameters; so many characters are shown, the API has all. */
const SHOWN_CHARACTERS = 4_000

/** So many of them stand in one line. */
export const LINE_CHARACTERS = 120

type Param = readonly [name: string, text: string]

/** What of an event's parameters there is room for, the last of them in part. */
export interface ShownParams {
  readonly shown: readonly Param[]
  readonly isCut: boolean
}

/** The parameters of an event as texts, as far as they are shown. */
export function textsOf(params: Readonly<Record<string, unknown>>): ShownParams {
  const all = Object.entries(params)
  const shown: Param[] = []
  let room = SHOWN_CHARACTERS
  for (const [name, value] of all) {
    if (room <= 0) break
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    shown.push([start(name, room), start(text, room)])
    room -= name.length + text.length
  }
  return { shown, isCut: room < 0 || shown.length < all.length }
}

/** All of them in a line: `price: 5, currency: TON`. */
export function lineOf({ shown, isCut }: ShownParams): string {
  const line = shown.map(([name, text]) => `${name}: ${text}`).join(', ')
  return isCut ? `${line}…` : line
}

/** The first characters of a text; no half of a pair is left at its end. */
export function start(text: string, characters: number): string {
  return text.slice(0, characters).replace(/[\ud800-\udbff]$/, '')
}
