import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the runtime does after an answer is sent. */
const REST_MS = 30

/**
 * Milliseconds of processor time that the runtime takes for some work: that of the service and of what stands for databases, KV and
 * queues here, which the platform does not count. Linux tells it, whatever else the machine does.
 */
export async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const threads = threadsOfRuntime()
  const before = totalMs(threads)
  await work()
  await sleep(REST_MS)
  return totalMs(threads) - before
}

/** The runtime is a child of this process. */
function threadsOfRuntime(): string[] {
  const children = readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  )
  const runtime = children.find((child) => readFileSync(`/proc/${child}/comm`, 'utf8').trim() === 'workerd')
  if (!runtime) throw new Error('The runtime is not found among the processes of Linux')
  return readdirSync(`/proc/${runtime}/task`).map((thread) => `/proc/${runtime}/task/${thread}/schedstat`)
}

function totalMs(threads: readonly string[]): number {
  const times = threads.map((thread) => Number(readFileSync(thread, 'utf8').split(' ')[0]))
  return times.reduce((sum, ns) => sum + ns, 0) / 1e6
}
