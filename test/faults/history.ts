import type { KnownEvent } from './client.ts'

/** What a run saw, one observation after the other, and what of it breaks a promise (as sentences). */
export class History {
  readonly wrong: string[] = []
  readonly #latestAsOf = new Map<string, number>()
  /** Ids of erased people that were not found any more, by where they were looked for. */
  readonly #gone = new Set<string>()

  /** An answer's `figures-as-of`, if the question was asked after all answers before it had arrived. */
  noteAsOf(where: string, asOf: number): void {
    const before = this.#latestAsOf.get(where) ?? Number.NEGATIVE_INFINITY
    if (asOf < before) this.wrong.push(`figures-as-of of ${where} went back by ${before - asOf} ms`)
    this.#latestAsOf.set(where, Math.max(asOf, before))
  }

  /** Returns whether the id of an erased person is gone from there; once it is, it may not come back. */
  noteErased(id: number, where: string, isThere: boolean): boolean {
    const found = `${id} in ${where}`
    if (!isThere) this.#gone.add(found)
    else if (this.#gone.has(found)) this.wrong.push(`erased ${found} came back`)
    return !isThere
  }

  /** An answer is what it must be. */
  noteFigure(what: string, found: unknown, expected: unknown): void {
    const [one, other] = [JSON.stringify(found), JSON.stringify(expected)]
    if (one !== other) this.wrong.push(`${what}: ${one}, not ${other}`)
  }

  /** An export contains each of these events once, and no event twice. */
  noteExport(where: string, ids: readonly string[], expected: readonly Pick<KnownEvent, 'params'>[]): void {
    const counts = Map.groupBy(ids, (id) => id)
    const lost = expected.filter(({ params }) => !counts.has(params.id)).length
    const doubled = [...counts.values()].filter(({ length }) => length > 1).length
    if (lost + doubled > 0) this.wrong.push(`the export of ${where} lacks ${lost} events and has ${doubled} twice`)
  }

  note(sentence: string): void {
    this.wrong.push(sentence)
  }
}

/** The value below which this share of the sorted numbers is; null if there are none. */
export function quantile(numbers: readonly number[], share: number): number | null {
  return numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * share) - 1] ?? null
}
