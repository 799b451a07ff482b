import { startUnreferenced } from './timer.ts'

/** What has not reported for so long hangs, or has been ended with the request that began it. */
export interface OneAtATimeOptions {
  readonly stalledAfterMs: number
}

/** The work calls `report` whenever it gets on. */
type Work = (report: () => void) => Promise<void>

/**
 * Returns a function that does the work while nobody else does; else it waits for them first. It never waits for work that
 * stalls: runtimes of many short requests end whatever a request has begun, and what it has promised never comes.
 */
export function oneAtATime(work: Work, { stalledAfterMs }: OneAtATimeOptions): () => Promise<void> {
  let running: { done: Promise<void>; reportedAt: number } | null = null
  const stalledInMs = () => (running ? running.reportedAt + stalledAfterMs - Date.now() : 0)

  async function start(): Promise<void> {
    const mine = { done: Promise.resolve(), reportedAt: Date.now() }
    running = mine
    mine.done = work(() => {
      mine.reportedAt = Date.now()
    }).finally(() => {
      if (running === mine) running = null
    })
    await mine.done
  }

  return async () => {
    while (running && stalledInMs() > 0) await soonest(running.done, stalledInMs())
    await start()
  }
}

/** Settles with the promise, or after so many milliseconds. */
async function soonest(promise: Promise<void>, ms: number): Promise<void> {
  let timer: unknown
  const late = new Promise<void>((resolve) => {
    timer = startUnreferenced(resolve, ms)
  })
  await Promise.race([promise, late])
  clearTimeout(timer as number)
}
