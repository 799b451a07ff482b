import { abortAllDurableObjects } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { firstProgress } from '../../../src/lifecycle/erasure/begin.ts'
import { nextJob, runJobs, type Work, type Works, wakeAllForJobs } from '../../../src/lifecycle/jobs/jobs.ts'
import { addJob, type Job } from '../../../src/lifecycle/jobs/statements.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { giveDatabase, onlyObject, stubOf, within } from '../../support/objects.ts'

const db = openDatabase(env.DB)

/** Runs an application's jobs by a clock that moves on by each pause only. */
function run(applicationId: number, works: Works, forMs = 1_000_000) {
  let time = 0
  const pause = async (ms: number) => {
    time += ms
  }
  return runJobs(applicationId, { env, db, now: () => time, works, pause, forMs })
}

/** Counts up to its goal; writes down what it did. */
function counting(seen: string[]): Work {
  return async ({ kind, progress }) => {
    const { at, goal } = progress as { at: number; goal: number }
    seen.push(`${kind} ${at}`)
    return at === goal ? 'done' : { at: at + 1, goal }
  }
}

async function addCounting(applicationId: number, kind: Job['kind'], goal: number): Promise<void> {
  await addJob(db, { applicationId, kind, progress: { at: 0, goal }, now: 1 })
}

it('does the jobs of an application one after the other, apart from those of others', async () => {
  const [{ applicationId }, other] = [await createPlainApplication(), await createPlainApplication()]
  const seen: string[] = []
  await addCounting(applicationId, 'delete', 2)
  await addCounting(other.applicationId, 'delete', 1)
  await addCounting(applicationId, 'erase', 1)
  const works = { erase: counting(seen), delete: counting(seen) }
  expect(await run(applicationId, works)).toEqual({ steps: 5, more: false })
  expect(seen).toEqual(['delete 0', 'delete 1', 'delete 2', 'erase 0', 'erase 1'])
  expect(await nextJob(db, applicationId)).toBeNull()
  expect(await nextJob(db, other.applicationId)).toMatchObject({ progress: { at: 0 } })
})

it('deletes old events only when no other job is left, even between its own steps', async () => {
  const { applicationId } = await createPlainApplication()
  const seen: string[] = []
  await addCounting(applicationId, 'retain', 2)
  const count = counting(seen)
  const erasing: Work = async (job, working) => {
    if (job.kind === 'retain' && seen.length === 0) await addCounting(applicationId, 'erase', 1)
    return count(job, working)
  }
  await run(applicationId, { retain: erasing, erase: count })
  expect(seen).toEqual(['retain 0', 'erase 0', 'erase 1', 'retain 1', 'retain 2'])
})

it('continues from the last step that ended, after a failure and in the next alarm', async () => {
  const { applicationId } = await createPlainApplication()
  const seen: string[] = []
  await addCounting(applicationId, 'erase', 4)
  const count = counting(seen)
  let failures = 0
  const failing: Work = async (job, working) => {
    const next = await count(job, working)
    if (seen.length === 3 && failures++ === 0) throw new Error('away')
    return next
  }
  await expect(run(applicationId, { erase: failing })).rejects.toThrow('away')
  expect(await nextJob(db, applicationId)).toMatchObject({ progress: { at: 2 } })
  expect(await run(applicationId, { erase: failing }, 30)).toEqual({ steps: 2, more: true })
  expect(await run(applicationId, { erase: failing })).toEqual({ steps: 1, more: false })
  expect(seen).toEqual(['erase 0', 'erase 1', 'erase 2', 'erase 2', 'erase 3', 'erase 4'])
})

it('the object tries a job that fails again after pauses that grow up to a minute', async () => {
  const { applicationId } = await createPlainApplication()
  const key = onlyObject(applicationId)
  // A kind that no release knows.
  await addCounting(applicationId, 'unknown' as Job['kind'], 1)
  await within(key, async (object, storage) => {
    await storage.put('jobs', { applicationId, failures: 0 })
    const pauses: number[] = []
    for (let attempt = 0; attempt < 7; attempt += 1) {
      await storage.deleteAlarm()
      await object.alarm()
      pauses.push(Math.round((((await storage.getAlarm()) ?? 0) - Date.now()) / 1_500))
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 40])
    await storage.deleteAlarm()
    await env.DB.prepare('delete from jobs where application_id = ?').bind(applicationId).run()
    await object.alarm()
    expect([await storage.getAlarm(), (await storage.list()).size]).toEqual([null, 0])
  })
})

it('an object that is interrupted in the middle of a job continues with it by itself', async () => {
  const { applicationId } = await createPlainApplication()
  const key = onlyObject(applicationId)
  await addJob(db, { applicationId, kind: 'erase', progress: firstProgress(7_000_000_000), now: 1 })
  let isHanging = false
  const batch = () => {
    isHanging = true
    return new Promise<never>(() => undefined)
  }
  await giveDatabase(key, { batch })
  await stubOf(key).workOnJobs(applicationId)
  await vi.waitUntil(() => isHanging, 60_000)
  await abortAllDurableObjects()
  await vi.waitUntil(async () => (await nextJob(db, applicationId)) === null, 60_000)
})

it('cron wakes the objects of all applications that have jobs', async () => {
  const { applicationId } = await createPlainApplication()
  await env.DB.prepare('delete from jobs').run()
  for (let other = 0; other < 150; other += 1) await addCounting(9_000_000 + (other >> 1), 'erase', 1)
  await addCounting(applicationId, 'erase', 1)
  const woken: string[] = []
  const namespace = { getByName: (name: string) => ({ workOnJobs: async () => void woken.push(name) }) }
  expect(await wakeAllForJobs(db, namespace as unknown as Env['APPLICATIONS'])).toBe(76)
  expect(new Set(woken).size).toBe(76)
  expect(woken).toContain(String(applicationId))
  await env.DB.prepare('delete from jobs').run()
})
