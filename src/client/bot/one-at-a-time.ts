import { startUnreferenced } from './timer.ts'

/** The work calls `report` whenever it makes progress. */
type Work = (report: () => void) => Promise<void>

/**
 * Returns a function that runs the work, after any run before it. It does not wait for a run that has not reported for
 * `stalledAfterMs`: runtimes of short requests end whatever a request started, and its promises never settle.
 */
export function oneAtATime(work: Work, stalledAfterMs: number): () => Promise<void> {
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
