import type { Columns, Param } from '../columns.ts'
import { newOwner, segmentCache } from '../segment-cache.ts'
import { DICTIONARY_ROOM } from './dictionary.ts'
import { NONE } from './filter.ts'
import { textOfJson } from './matching.ts'
import type { SelectableRows } from './rows.ts'

type Values = Param['values']

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

  /** For each code of a parameter in a segment, its ordinal plus one, or 0 until it is looked up; and the values, if they had to be read. */
  of(rows: SelectableRows, name: string): { readonly ordinals: Uint32Array; readonly values: Values | null } | null {
    let values: Values | null = null
    const make = (param: Param) => {
      values = param.values
      return new Uint32Array(values.length + 1)
    }
    const ordinals = rows.derived?.(name, { kind: this.#kind, make, bytesOf: ({ byteLength }) => byteLength })
    return ordinals ? { ordinals, values } : null
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

  ordinalOf(text: string): number {
    const known = this.#ordinals.get(text)
    if (known !== undefined) return known
    this.#ordinals.set(text, this.count)
    this.#characters += text.length
    return this.#texts.push(text) - 1
  }
}

interface KnownOrdinals {
  /** For each code, its ordinal plus one, or 0 until it is looked up. */
  readonly known: Uint32Array
  /** Whether this question is the first to look them up. */
  readonly areNew: boolean
  /** Looks up a code. */
  of(code: number): number
}

const owners = new WeakMap<Columns, string>()

/** Looks up a parameter of segments; its texts have ordinals of earlier questions where they are still in memory. */
export function knownTextsOf(columns: Columns, name: string) {
  const owner = owners.get(columns) ?? newOwner()
  owners.set(columns, owner)
  const key = `${owner} texts of ${name}`
  const known = segmentCache.get<KnownTexts>(key)
  const texts = known && !known.isFull ? known : new KnownTexts()
  let counted = 0
  return {
    textOf: (ordinal: number) => texts.textOf(ordinal),
    /** Null if no event has the parameter, or if there is no room for its texts. */
    ordinalsIn(rows: SelectableRows): KnownOrdinals | null {
      if (texts.byteLength > counted) segmentCache.set(key, texts, texts.byteLength)
      counted = texts.byteLength
      const found = texts.isFull ? null : texts.of(rows, name)
      if (!found) return null
      const { ordinals: known } = found
      let { values } = found
      const areNew = values !== null
      const textAt = (code: number) => {
        values ??= rows.param?.(name)?.values ?? []
        return textOfJson(values[code - 1] ?? null) ?? NONE
      }
      return {
        known,
        areNew,
        of(code) {
          known[code] ||= texts.ordinalOf(textAt(code)) + 1
          return (known[code] as number) - 1
        },
      }
    },
  }
}
