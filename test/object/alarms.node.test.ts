import { beforeEach, expect, it, vi } from 'vitest'
import { Alarms } from '../../src/object/alarms.ts'

const KEY = { applicationId: 1, objects: 1, part: 0 }
const RUN_MS = 700

let now = 0
/** What the alarm did, in order. */
let done: string[] = []
/** How many runs columns still need, and what is told during them. */
let backlog = 0
/** How many runs an alarm has room for. */
let mostRuns = 0
let duringRun: () => void = () => {}
/** When the alarm rings next; null if it does not. */
let alarm: number | null = null

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  ;[now, done, backlog, mostRuns, duringRun, alarm] = [0, [], 0, 100, () => {}, null]
})

function newAlarms(): Alarms {
  const stored = new Map<string, unknown>()
  const storage = {
    get: async (name: string) => stored.get(name),
    put: async (name: string, value: unknown) => void stored.set(name, value),
    delete: async (name: string) => stored.delete(name),
    getAlarm: async () => alarm,
    setAlarm: async (time: number) => {
      alarm = time
    },
  } as unknown as DurableObjectStorage
  return new Alarms(storage, {
    refresh: async (_, mayContinue) => {
      let runs = 0
      do {
        now += RUN_MS
        runs += 1
        duringRun()
      } while (runs < Math.min(backlog, mostRuns) && mayContinue())
      done.push(`columns ${runs * RUN_MS}`)
      return { runs, more: runs < backlog }
    },
    workOnJobs: async (_, forMs) => {
      done.push(`jobs ${forMs}`)
      return { steps: 1, more: true }
    },
    now: () => now,
  })
}

it('gives jobs as long as columns took, which yield to them after three seconds', async () => {
  const alarms = newAlarms()
  await alarms.ringForColumns(KEY, 0)
  await alarms.ringForJobs(KEY.applicationId)
  backlog = 40
  await alarms.ring()
  await alarms.ring()
  expect(done).toEqual(['columns 3500', 'jobs 3500', 'columns 3500', 'jobs 3500'])
})

it('gives jobs a second if columns have little to read', async () => {
  const alarms = newAlarms()
  await alarms.ringForColumns(KEY, 0)
  await alarms.ringForJobs(KEY.applicationId)
  await alarms.ring()
  expect(done).toEqual(['columns 700', 'jobs 1000'])
})

it('stops columns for jobs added meanwhile, and never without jobs', async () => {
  const alarms = newAlarms()
  await alarms.ringForColumns(KEY, 0)
  backlog = 40
  await alarms.ring()
  expect(done).toEqual(['columns 28000'])
  duringRun = () => void alarms.ringForJobs(KEY.applicationId)
  await alarms.ring()
  expect(done.slice(1)).toEqual(['columns 3500', 'jobs 3500'])
})

it('rings again for what columns did not get to, and no more once nothing is left', async () => {
  const alarms = newAlarms()
  const ring = async () => {
    // The platform forgets an alarm that rings.
    alarm = null
    await alarms.ring()
    return alarm
  }
  await alarms.ringForColumns(KEY, 5_000)
  expect(alarm).toBe(5_000)
  ;[backlog, mostRuns] = [3, 2]
  expect(await ring()).toBe(now)
  backlog = 1
  expect(await ring()).toBeNull()
})
