import { CONTEXT_PROPERTIES, FIRST_CONTEXT_PROPERTIES, type PropertyName } from '../collection/event.ts'
import type { Values } from './columns.ts'
import { Ordinals } from './ordinals.ts'
import { Damaged, type Store } from './store.ts'

/** A context as it is stored in the database. */
export type ContextRow = { readonly id: number } & Readonly<Partial<Record<PropertyName, string | boolean | null>>>

const IDS = 'context ids'
/** The names of the properties that there are codes of. Older releases noted none: they knew the first ones. */
const PROPERTIES = 'properties'

/** The contexts of an application: a code for each property of each, and the texts of the codes. */
export class Contexts {
  readonly #store: Store
  #ordinals: Ordinals | undefined
  /** Codes of texts that came up lately; and the last code of a property, where one was given here. */
  readonly #known = new Map<string, number>()
  readonly #lastCodes = new Map<PropertyName, number>()
  /** Properties whose texts were looked at. */
  readonly #complete = new Set<PropertyName>()
  #missing: readonly PropertyName[]
  count: number

  /** Throws `Damaged` if there are not as many as there should be. */
  constructor(store: Store) {
    this.#store = store
    this.count = store.note<number>(IDS) ?? 0
    store.requireLength(IDS, Float64Array, this.count)
    const known: readonly string[] = store.note<string[]>(PROPERTIES) ?? FIRST_CONTEXT_PROPERTIES
    this.#missing = this.count === 0 ? [] : CONTEXT_PROPERTIES.filter((name) => !known.includes(name))
  }

  /** Properties that an older release did not know: of them there are no codes yet. */
  get missing(): readonly PropertyName[] {
    return this.#missing
  }

  /** Learns them by the contexts that say one: all others do not. Runs within a transaction. */
  learnMissing(saying: readonly ContextRow[]): void {
    for (const property of this.#missing) {
      const codes = new Uint32Array(this.count)
      for (const row of saying) {
        if (this.ordinals.has(row.id)) codes[this.ordinals.of(row.id)] = this.#codeOf(property, textOf(row[property]))
      }
      this.#store.appendArray(`codes of ${property}`, 0, codes)
    }
    this.#store.setNote(PROPERTIES, CONTEXT_PROPERTIES)
    this.#missing = []
  }

  /** By their ids in the database. */
  get ordinals(): Ordinals {
    this.#ordinals ??= new Ordinals(this.#store.readArray(IDS, Float64Array, this.count))
    return this.#ordinals
  }

  /** Adds contexts that were never seen. Runs within a transaction. */
  add(rows: readonly ContextRow[]): void {
    if (rows.length === 0) return
    const { count, ordinals } = this
    if (count === 0) this.#store.setNote(PROPERTIES, CONTEXT_PROPERTIES)
    for (const { id } of rows) ordinals.of(id)
    this.#store.appendArray(IDS, count, ordinals.ids.slice(count, ordinals.count))
    this.#store.setNote(IDS, ordinals.count)
    this.count = ordinals.count
    for (const property of CONTEXT_PROPERTIES) {
      const codes = rows.map((row) => this.#codeOf(property, textOf(row[property])))
      this.#store.appendArray(`codes of ${property}`, count, Uint32Array.from(codes))
    }
  }

  /** Puts others in the place of texts that no other contexts have than these. Runs within a transaction. */
  forgetTexts(ids: readonly number[]): void {
    const gone = new Set(ids.filter((id) => this.ordinals.has(id)).map((id) => this.ordinals.of(id)))
    if (gone.size === 0) return
    for (const property of CONTEXT_PROPERTIES) {
      const codes = this.codes(property)
      const kept = new Set(codes.filter((_, context) => !gone.has(context)))
      for (const code of new Set([...gone].map((context) => codes[context] as number))) {
        if (code > 0 && !kept.has(code)) this.#forgetText(property, code)
      }
    }
  }

  #forgetText(property: PropertyName, code: number): void {
    this.#store.run(
      "update texts set text = 'erased ' || code || ' ' || hex(randomblob(4)) where property = ? and code = ?",
      property,
      code,
    )
  }

  /** Throws `Damaged` if codes or their texts are missing: whoever looks for a text would not find it, and count too little. */
  codes(property: PropertyName): Uint32Array {
    const codes = this.#store.readArray(`codes of ${property}`, Uint32Array, this.count)
    if (!this.#complete.has(property)) this.#requireTexts(property, codes)
    return codes
  }

  values(property: PropertyName): Values {
    return new StoredValues(this.#store, property)
  }

  /** Codes are given in order, and each to a context. */
  #requireTexts(property: PropertyName, codes: Uint32Array): void {
    const last = codes.reduce((most, code) => Math.max(most, code), 0)
    const [row] = this.#store.rows<{ count: number }>(
      'select count(*) as count from texts where property = ?',
      property,
    )
    if (row?.count !== last) throw new Damaged(`${row?.count} of ${last} texts of ${property}`)
    this.#complete.add(property)
  }

  #codeOf(property: PropertyName, text: string | null): number {
    if (text === null) return 0
    const key = `${property} ${text}`
    const known = this.#known.get(key) ?? (this.values(property).codeOf(text) || this.#newCode(property, text))
    if (this.#known.size >= MOST_KNOWN) this.#known.clear()
    this.#known.set(key, known)
    return known
  }

  #newCode(property: PropertyName, text: string): number {
    const code = (this.#lastCodes.get(property) ?? this.values(property).count) + 1
    this.#store.run('insert into texts (property, code, text) values (?, ?, ?)', property, code, text)
    this.#lastCodes.set(property, code)
    return code
  }
}

/** Most contexts say what others said before. */
const MOST_KNOWN = 10_000

function textOf(value: string | boolean | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

/** The texts stay in the object's database: there may be a million. */
class StoredValues implements Values {
  readonly #store: Store
  readonly #property: string

  constructor(store: Store, property: string) {
    this.#store = store
    this.#property = property
  }

  get count(): number {
    const [row] = this.#store.rows<{ count: number }>(
      'select coalesce(max(code), 0) as count from texts where property = ?',
      this.#property,
    )
    return row?.count ?? 0
  }

  textOf(code: number): string {
    const [row] = this.#store.rows<{ text: string }>(
      'select text from texts where property = ? and code = ?',
      this.#property,
      code,
    )
    if (!row) throw new Damaged(`no text ${code} of ${this.#property}`)
    return row.text
  }

  codeOf(text: string): number {
    const [row] = this.#store.rows<{ code: number }>(
      'select code from texts where property = ? and text = ?',
      this.#property,
      text,
    )
    return row?.code ?? 0
  }

  *entries(): Iterable<readonly [number, string]> {
    const rows = this.#store.each<{ code: number; text: string }>(
      'select code, text from texts where property = ? order by code',
      this.#property,
    )
    for (const { code, text } of rows) yield [code, text]
  }
}
