import { Activity } from '../../src/columns/activity.ts'
import { Store } from '../../src/columns/store.ts'
import { answer } from '../../src/object/answering.ts'
import { FairQueue } from '../../src/object/fair-queue.ts'
import type { Question } from '../../src/questions/engine/report.ts'
import { held } from './held.ts'
import { openObjectFile } from './object-file.ts'

// A process of its own, as an isolate is: opens the files of its arguments and answers the questions that it is sent, one at a time.

export interface Asked extends Pick<Question, 'report' | 'query' | 'cohorts'> {
  /** How often the question is asked at the same time, one object after the other. */
  readonly atOnce: number
  /** How often the time is taken. */
  readonly rounds: number
  /** Between two collections of garbage, which take so long that there is none at most pauses. */
  readonly pausesACollection: number
}

export interface Answered {
  /** What the first object answered. */
  readonly part: unknown
  /** The processor time of this thread for one question asked alone: the fastest of the rounds. */
  readonly milliseconds: number
  /** Processor time of the first question to an object that was just started and has no columns in memory. */
  readonly first: number
  /** The most that was held at any pause: the heap and buffers, after a collection. */
  readonly heldBytes: number
}

/** Measures time by the processor's clock, so that a busy machine stops no question. */
const PACE = { now: processorMilliseconds, pause: () => new Promise((resolve) => setImmediate(resolve)) }

const LEAST_MS = 50

const open = (file: string | undefined) => new Activity(new Store(openObjectFile(file as string)))
const files = process.argv.slice(2)
const applications = files.map(open)
/** Each object answers one question after the other. */
const queues = applications.map(() => new FairQueue({ pause: PACE.pause }))

process.on('message', async (asked: Asked) => process.send?.(await answerTo(asked)))

async function answerTo({ atOnce, rounds, pausesACollection, ...question }: Asked): Promise<Answered> {
  const askOf = (application: Activity, caller = 'bench', pause = PACE.pause) =>
    answer({ ...question, caller }, application, { ...PACE, pause })
  const ask = (index: number, caller?: string, pause = PACE.pause) =>
    askOf(applications[index] as Activity, caller, pause)
  let part: unknown
  // Also reads what the rounds find in memory.
  const heldBytes = await mostHeld(pausesACollection, async (pause) => {
    // Each by a caller of its own, so that large answers use all the turns that there are.
    const parts = Array.from({ length: atOnce }, (_, number) => {
      const [index, caller] = [number % applications.length, `caller ${number}`]
      return queues[index]?.run(caller, () => ask(index, caller, pause))
    })
    ;[part] = await Promise.all(parts)
  })
  const times: number[] = []
  const firsts: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    times.push(await processorTime(() => ask(0)))
    firsts.push(await firstTime(askOf))
  }
  return { part, milliseconds: Math.min(...times), first: Math.min(...firsts), heldBytes }
}

/** Milliseconds; short work is repeated, as the processor's clock is coarse. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const began = processorMilliseconds()
  for (let times = 1; ; times += 1) {
    await work()
    const took = processorMilliseconds() - began
    if (took > LEAST_MS) return took / times
  }
}

/** Objects that answer no second question: as many as the processor's clock needs. */
async function firstTime(ask: (application: Activity) => Promise<unknown>): Promise<number> {
  let sum = 0
  for (let times = 1; ; times += 1) {
    const application = open(files[0])
    const began = processorMilliseconds()
    await ask(application)
    sum += processorMilliseconds() - began
    if (sum > LEAST_MS) return sum / times
  }
}

/** The processor time of this thread. */
function processorMilliseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

async function mostHeld(
  pausesACollection: number,
  work: (pause: () => Promise<unknown>) => Promise<unknown>,
): Promise<number> {
  let pauses = 0
  let most = await held()
  await work(async () => {
    pauses += 1
    if (pauses % pausesACollection === 0) most = Math.max(most, await held())
    await PACE.pause()
  })
  return most
}
