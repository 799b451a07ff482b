import { count, takeCounts } from '../base/counts.ts'
import { logError } from '../base/log.ts'
import { metricsObject } from './application-objects.ts'

/** A busy isolate hands over what it counted this often. What it counted since is lost with it. */
const EVERY_MS = 10_000

let handedOverAt = 0

interface Counted {
  readonly env: Env
  readonly context: Pick<ExecutionContext, 'waitUntil'>
  /** Milliseconds since 1970 UTC. */
  readonly now: number
}

/** Counts one more of a series, if somebody reads it (`METRICS_TOKEN`), and hands over what this isolate counted when that is due. */
export function countOne(series: string, { env, context, now }: Counted): void {
  const { METRICS_TOKEN: token } = env
  if (!token) return
  count(series)
  if (now - handedOverAt < EVERY_MS) return
  handedOverAt = now
  context.waitUntil(handOver(env))
}

/** Hands over what this isolate counted; returns all that was ever counted, by series, or null if the object does not respond. */
export async function handOver({ APPLICATIONS }: Env): Promise<Readonly<Record<string, number>> | null> {
  const counts = takeCounts()
  try {
    return await metricsObject(APPLICATIONS).add(counts)
  } catch (error) {
    for (const [series, more] of Object.entries(counts)) count(series, more)
    logError('counts not handed over yet', error)
    return null
  }
}
