/** A metric and its values now, by labels (`{queue="events"}`); null if the part does not respond. */
export interface MetricFamily {
  readonly name: string
  readonly type: 'counter' | 'gauge'
  readonly help: string
  readonly values: Readonly<Record<string, number | null>>
}

/** What this isolate has counted and not handed over yet, by series. There are as many series as operations and their statuses. */
const counted = new Map<string, number>()

/** Adds to a series of `GET /metrics`: its name and labels as Prometheus writes them. */
export function count(series: string, more = 1): void {
  counted.set(series, (counted.get(series) ?? 0) + more)
}

/** What was counted since the last time. */
export function takeCounts(): Readonly<Record<string, number>> {
  const taken = Object.fromEntries(counted)
  counted.clear()
  return taken
}
