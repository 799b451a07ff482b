import type { Columns, Param } from '../columns.ts'
import { newOwner, segmentCache } from '../segment-cache.ts'
import { DICTIONARY_ROOM } from './dictionary.ts'
import { NONE } from './filter.ts'
import { textOfJson } from './matching.ts'
import type { SelectableRows } from './rows.ts'

/** About what a text takes beside its characters. */
const TEXT_BYTES = 120

/**
 * The texts of a parameter, numbered in order of first sight, by all questions that group by it: a segment's ordinals are in the cache
 * beside it, in far less room than its texts, and are compared with a question's groups without reading those again.
 */
class KnownTexts {
  readonly #kind = `text ordinals ${newOwner()}`
  readonly #ordinals = new Map([[NONE, 0]])
  readonly #texts = [NONE]
  #characters = 0

  /** By the code of a parameter in a segment. */
  of(rows: SelectableRows, name: string): Uint32Array | null {
    const make = ({ values }: Param) => this.#add(values)
    return rows.derived?.(name, { kind: this.#kind, make, bytesOf: ({ byteLength }) => byteLength }) ?? null
  }

  /** Whether it may be given no more segments. */
  get isFull(): boolean {
    return this.count > DICTIONARY_ROOM.groups || this.#characters > DICTIONARY_ROOM.characters
  }

  get count(): number {
    return this.#texts.length
  }

  get byteLength(): number {
    return 2 * this.#characters + TEXT_BYTES * this.count
  }

  textOf(ordinal: number): string {
    return this.#texts[ordinal] as string
  }

  #add(values: readonly string[]): Uint32Array {
    const ordinals = new Uint32Array(values.length + 1)
    for (const [index, json] of values.entries()) ordinals[index + 1] = this.#ordinalOf(textOfJson(json) ?? NONE)
    return ordinals
  }

  #ordinalOf(text: string): number {
    const known = this.#ordinals.get(text)
    if (known !== undefined) return known
    this.#ordinals.set(text, this.count)
    this.#characters += text.length
    return this.#texts.push(text) - 1
  }
}

const owners = new WeakMap<Columns, string>()

/** Looks up a parameter of segments; its texts have ordinals of earlier questions where they are still in memory. */
export function knownTextsOf(columns: Columns, name: string) {
  const owner = owners.get(columns) ?? newOwner()
  owners.set(columns, owner)
  const key = `${owner} texts of ${name}`
  const known = segmentCache.get<KnownTexts>(key)
  const texts = known && !known.isFull ? known : new KnownTexts()
  return {
    textOf: (ordinal: number) => texts.textOf(ordinal),
    /** By the code of the parameter; null where no event has it, or where there is no room for its texts. */
    ordinalsIn(rows: SelectableRows): Uint32Array | null {
      if (texts.isFull) return null
      const { count } = texts
      const found = texts.of(rows, name)
      if (texts.count > count) segmentCache.set(key, texts, texts.byteLength)
      return found
    },
  }
}
