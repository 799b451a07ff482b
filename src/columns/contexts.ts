import { CONTEXT_PROPERTIES, type PropertyName } from '../base/event.ts'
import { globOfId, withoutIds } from '../base/text/messenger-ids.ts'
import { checksumOfRow } from './checksum.ts'
import type { Values } from './columns.ts'
import { StoredOrdinals } from './ordinals.ts'
import { cachedArray, newOwner } from './segment-cache.ts'
import { Damaged, erasedText, requireRow, type Store } from './store.ts'

/** A context as the database stores it. */
export type ContextRow = { readonly id: number } & Readonly<Partial<Record<PropertyName, string | boolean | null>>>

/** The note that lists the properties with codes, once there are contexts. */
const PROPERTIES = 'properties'

/** The contexts of an application: a code for each property of each, and the texts of the codes. */
export class Contexts {
  readonly #store: Store
  readonly #ids: StoredOrdinals
  readonly #owner = newOwner()
  /** The codes of recent texts; and the last code of each property that this instance added to. */
  readonly #known = new Map<string, number>()
  readonly #lastCodes = new Map<PropertyName, number>()
  /** Properties whose texts were counted, and those whose texts were all read. */
  readonly #complete = new Set<PropertyName>()
  readonly #sound = new Set<PropertyName>()
  /** Properties that an older release did not know: they have no codes yet, and no question can use them. */
  missing: readonly PropertyName[]

  /** Throws `Damaged` if contexts are missing. */
  constructor(store: Store) {
    this.#store = store
    this.#ids = new StoredOrdinals(store, 'context ids')
    const known: readonly string[] = store.note<string[]>(PROPERTIES) ?? CONTEXT_PROPERTIES
    this.missing = CONTEXT_PROPERTIES.filter((name) => !known.includes(name))
  }

  get count(): number {
    return this.#ids.count
  }

  /** Learns the missing properties from all contexts that have a value for one. Runs within a transaction. */
  learnMissing(saying: readonly ContextRow[]): void {
    for (const property of this.missing) {
      const codes = new Uint32Array(this.count)
      for (const row of saying) {
        if (this.has(row.id)) codes[this.ordinalOf(row.id)] = this.#codeOf(property, textOf(row[property]))
      }
      this.#store.appendArray(`codes of ${property}`, 0, codes)
    }
    this.#store.setNote(PROPERTIES, CONTEXT_PROPERTIES)
    this.missing = []
  }

  /** The ids of contexts in the database, by ordinal. */
  get ids(): Float64Array {
    return this.#ids.ids
  }

  /** The ids of those that have a value for any property. */
  sayingIds(): number[] {
    const says = new Uint8Array(this.count)
    for (const property of CONTEXT_PROPERTIES) {
      const codes = this.codes(property)
      for (let context = 0; context < codes.length; context++) says[context] ||= Number(codes[context] !== 0)
    }
    return [...this.ids].filter((_, context) => says[context])
  }

  has(id: number): boolean {
    return this.#ids.all.has(id)
  }

  ordinalOf(id: number): number {
    const ordinal = this.#ids.all.find(id)
    if (ordinal === null) throw new Error(`The context ${id} is not known`)
    return ordinal
  }

  /** Adds contexts that were never seen. Runs within a transaction. */
  add(rows: readonly ContextRow[]): void {
    if (rows.length === 0) return
    const { count } = this
    if (count === 0) this.#store.setNote(PROPERTIES, CONTEXT_PROPERTIES)
    for (const { id } of rows) this.#ids.all.of(id)
    this.#ids.store()
    for (const property of CONTEXT_PROPERTIES) {
      const codes = rows.map((row) => this.#codeOf(property, textOf(row[property])))
      this.#store.appendArray(`codes of ${property}`, count, Uint32Array.from(codes))
    }
  }

  /**
   * Lets these contexts say nothing, as the database does by then, and replaces the texts that only they have. If they went on saying
   * them, another erasure would take a text that they share with its own contexts for one that is still said. Runs within a transaction.
   */
  forgetTexts(ids: readonly number[]): void {
    const gone = ids.filter((id) => this.has(id)).map((id) => this.ordinalOf(id))
    if (gone.length === 0) return
    for (const property of CONTEXT_PROPERTIES) {
      const codes = this.codes(property).slice()
      const said = gone.filter((context) => codes[context] !== 0)
      const forgotten = new Set(said.map((context) => codes[context] as number))
      for (const context of said) codes[context] = 0
      for (const code of forgotten) if (!codes.includes(code)) this.#forgetText(property, code)
      this.#store.rewriteItems(`codes of ${property}`, codes, said)
    }
  }

  /** Replaces the id of somebody who was erased in the texts of a property. Do not use this instance afterwards. */
  eraseId(property: PropertyName, telegramId: number): void {
    const query = "select code, text, sum from texts where property = ? and ' ' || text || ' ' glob ?"
    const found = this.#store.rows<TextRow>(query, property, globOfId(telegramId))
    if (found.length > 0) this.#store.transaction(() => this.#eraseId(property, found, telegramId))
  }

  #eraseId(property: PropertyName, texts: readonly TextRow[], telegramId: number): void {
    const codes = this.codes(property).slice()
    const merged: number[] = []
    for (const { code, text } of texts) {
      const replaced = withoutIds(text, (id) => id === telegramId)
      const same = this.values(property).codeOf(replaced)
      if (same === 0) {
        this.#setText(property, code, replaced)
        continue
      }
      // Two codes of one text would be two groups.
      for (const [context, own] of codes.entries()) {
        if (own !== code) continue
        codes[context] = same
        merged.push(context)
      }
      this.#forgetText(property, code)
    }
    this.#store.rewriteItems(`codes of ${property}`, codes, merged)
  }

  #forgetText(property: PropertyName, code: number): void {
    this.#setText(property, code, erasedText(code))
  }

  #setText(property: PropertyName, code: number, text: string): void {
    const query = 'update texts set text = ?, sum = ? where property = ? and code = ?'
    this.#store.run(query, text, checksumOfRow(property, code, text), property, code)
  }

  /**
   * Must not be changed. Throws `Damaged` if codes or their texts are missing: a question would not find a text, and count too
   * little.
   */
  codes(property: PropertyName): Uint32Array {
    if (this.count > MOST_CACHED) return this.#readCodes(property)
    return cachedArray(`${this.#owner} ${this.count} codes of ${property}`, () => this.#readCodes(property))
  }

  #readCodes(property: PropertyName): Uint32Array {
    const codes = this.#store.readArray(`codes of ${property}`, Uint32Array, this.count)
    if (!this.#complete.has(property)) this.#requireTexts(property, codes)
    return codes
  }

  values(property: PropertyName): Values {
    return new StoredValues(this.#store, property, () => this.#requireSound(property))
  }

  /** Throws `Damaged` if a text is not what was written: a question would not find it. */
  #requireSound(property: PropertyName): void {
    if (this.#sound.has(property)) return
    let last = 0
    for (const [code] of this.values(property).entries()) {
      if (code !== last + 1) throw new Damaged(`the text ${last + 1} of ${property}`)
      last = code
    }
    this.#sound.add(property)
  }

  /** Codes are consecutive. Those of texts that were erased are in no context any more. */
  #requireTexts(property: PropertyName, codes: Uint32Array): void {
    const last = codes.reduce((most, code) => Math.max(most, code), 0)
    const count = this.#store.number('select count(*) from texts where property = ?', property)
    if (count < last) throw new Damaged(`${count} of ${last} texts of ${property}`)
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
    const sum = checksumOfRow(property, code, text)
    this.#store.run('insert into texts (property, code, text, sum) values (?, ?, ?, ?)', property, code, text, sum)
    this.#lastCodes.set(property, code)
    return code
  }
}

/** The codes of more contexts would push what else is cached out of memory. */
const MOST_CACHED = 65_536

/** Most contexts have values that others had before. */
const MOST_KNOWN = 10_000

/** The text of a property's value, as filters compare it; null if it is missing. */
export function textOf(value: string | boolean | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

interface TextRow extends Record<string, SqlStorageValue> {
  code: number
  text: string
  sum: number
}

/** The texts stay in the object's SQLite: there may be a million. */
class StoredValues implements Values {
  readonly #store: Store
  readonly #property: string
  readonly #requireSound: () => void

  constructor(store: Store, property: string, requireSound: () => void) {
    this.#store = store
    this.#property = property
    this.#requireSound = requireSound
  }

  get count(): number {
    return this.#store.number('select max(code) from texts where property = ?', this.#property)
  }

  textOf(code: number): string {
    const row = this.#find('code', code)
    if (!row) throw new Damaged(`no text ${code} of ${this.#property}`)
    return row.text
  }

  codeOf(text: string): number {
    const row = this.#find('text', text)
    if (!row) this.#requireSound()
    return row?.code ?? 0
  }

  #find(column: 'code' | 'text', value: number | string): TextRow | undefined {
    const query = `select code, text, sum from texts where property = ? and ${column} = ?`
    const [row] = this.#store.rows<TextRow>(query, this.#property, value)
    return row && this.#checked(row)
  }

  *entries(after = 0, most = -1): Iterable<readonly [number, string]> {
    const rows = this.#store.each<TextRow>(
      'select code, text, sum from texts where property = ? and code > ? order by code limit ?',
      this.#property,
      after,
      most,
    )
    for (const row of rows) {
      const { code, text } = this.#checked(row)
      yield [code, text]
    }
  }

  #checked(row: TextRow): TextRow {
    requireRow(row.sum, this.#property, row.code, row.text)
    return row
  }
}
