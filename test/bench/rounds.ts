export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The least value that so many of all are not above. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
}

export type Measure = (round: number) => Promise<number>

/** What each measure gave, round by round. */
export type Measured<Name extends string> = Readonly<Record<Name, readonly number[]>>

/** Takes the measures in turn, so that noise hits all alike; the first round warms up and is not counted. */
export async function interleave<Name extends string>(
  measures: Readonly<Record<Name, Measure>>,
  rounds: number,
): Promise<Measured<Name>> {
  const names = Object.keys(measures) as Name[]
  const measured = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const value = await measures[name](round)
      if (round > 0) measured[name].push(value)
    }
    progress(`  round ${round} of ${rounds}`)
  }
  return measured
}

/** The median of the ratios of one round each. */
export function medianRatio(values: readonly number[], base: readonly number[]): number {
  return median(values.map((value, round) => value / (base[round] ?? Number.NaN)))
}

/** Milliseconds from a request to the last byte of its answer, which must be a success. */
export async function timeOf(address: URL, init: RequestInit = {}): Promise<number> {
  const start = performance.now()
  const response = await fetch(address, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${address.pathname} answered ${response.status}: ${text}`)
  return performance.now() - start
}

export function progress(text: string): void {
  process.stderr.write(`${text}\n`)
}
