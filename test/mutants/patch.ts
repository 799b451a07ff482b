import { globSync, readFileSync } from 'node:fs'
import type { RoomMutant } from './mutant.ts'

/** A file with a mutant in it. */
export interface Patched {
  readonly file: string
  readonly before: string
  readonly after: string
}

/** Applies a mutant to the text of the file that it is about. Throws if its code is not there exactly once. */
export function patch({ name, room, from, to }: RoomMutant, root: string): Patched {
  const pattern = patternOf(from)
  const places = filesOf(room, root).flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].map((match) => ({ file, text, index: match.index, length: match[0].length })),
  )
  const [place] = places
  if (!place || places.length > 1) {
    const found = places.map(({ file }) => file).join(', ') || 'nowhere'
    throw new Error(`Rewrite the mutant ${name}: its code must be once in src/${room}, and is in ${found}`)
  }
  const { file, text, index, length } = place
  return { file, before: text, after: text.slice(0, index) + to + text.slice(index + length) }
}

const texts = new Map<string, readonly { readonly file: string; readonly text: string }[]>()

function filesOf(room: string, root: string) {
  const folder = `${root}src/${room}`
  const known = texts.get(folder)
  if (known) return known
  const files = globSync('**/*.{ts,tsx}', { cwd: folder }).map((path) => {
    const file = `src/${room}/${path}`
    return { file, text: readFileSync(root + file, 'utf8') }
  })
  texts.set(folder, files)
  return files
}

/** Matches code with other spaces and line breaks between its words and signs, and with the comma that a broken list ends with. */
function patternOf(code: string): RegExp {
  const tokens = code.match(/\w+|[^\s\w]/g) ?? []
  const parts = tokens.map((token, index) => {
    const before = tokens[index - 1]
    const space = before === undefined ? '' : isWord(before) && isWord(token) ? '\\s+' : '\\s*'
    const comma = /[)\]}]/.test(token) && before !== undefined ? ',?\\s*' : ''
    return space + comma + literal(token)
  })
  return new RegExp(parts.join(''), 'g')
}

function isWord(token: string): boolean {
  return /^\w/.test(token)
}

/** A text as a part of a pattern. */
export function literal(text: string): string {
  return text.replaceAll(/\W/g, '\\$&')
}
