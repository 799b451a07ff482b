/** An event may have megabytes of parameters. The API returns all of them. */
const SHOWN_CHARACTERS = 4_000

export const LINE_CHARACTERS = 120

type Param = readonly [name: string, text: string]

/** The parameters that fit, the last of them cut. */
export interface ShownParams {
  readonly shown: readonly Param[]
  readonly isCut: boolean
}

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

/** `price: 5, currency: TON` */
export function lineOf({ shown, isCut }: ShownParams): string {
  const line = shown.map(([name, text]) => `${name}: ${text}`).join(', ')
  return isCut ? `${line}…` : line
}

/** The first characters of a text, without half a surrogate pair at the end. */
export function start(text: string, characters: number): string {
  return text.slice(0, characters).replace(/[\ud800-\udbff]$/, '')
}
