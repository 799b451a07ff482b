import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { nameOfObject, type ObjectKey } from '../../src/objects/object-name.ts'

/** More than any test needs. */
const MOST_RUNS = 1_000

/** Lets the only object of an application work until it knows everything that is stored. */
export async function settle(applicationId: number): Promise<void> {
  const key = { applicationId, objects: 1, part: 0 }
  for (let run = 0; run < MOST_RUNS; run++) {
    await work(key)
    if ((await countChanges(applicationId)) === 0) return
  }
  throw new Error(`Application ${applicationId} does not settle`)
}

async function work(key: ObjectKey): Promise<void> {
  const object = env.APPLICATIONS.getByName(nameOfObject(key))
  await object.wake(key)
  await runDurableObjectAlarm(object)
}

async function countChanges(applicationId: number): Promise<number | null> {
  return env.DB.prepare('select count(*) as n from changes where application_id = ?').bind(applicationId).first('n')
}
