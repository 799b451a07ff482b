import { ZONE_CHANGED_OFTEN } from '../../accounts/applications/contract.ts'
import { Failure } from '../../base/errors.ts'
import { isSameZone } from '../../base/time/calendar.ts'
import { wakeObjects } from '../../questions/rollups/wake.ts'
import { bindingOf } from '../../storage/activity.ts'
import { columnsObject } from '../../storage/application-objects.ts'
import { type BatchDatabase, openDatabase } from '../../storage/database.ts'
import { keysOf, type Partitioning } from '../../storage/object-name.ts'
import { carryOut, type Hindrance, type Partitioned, planChange } from '../partitionings/changing.ts'
import { findFilling, takeOver } from '../partitionings/promoting.ts'

interface ChangingZone {
  readonly env: Env
  /** The directory. */
  readonly db: BatchDatabase
  /** Milliseconds since 1970 UTC. */
  readonly now: number
  readonly defer: (work: Promise<unknown>) => void
}

/** Two requests may meet: the second one plans again, by what the first one did. */
const TRIES = 3

/** Throws `conflict` if the zone of an application cannot become this one now. Changes nothing. */
export async function requireChangeable(
  application: Partitioned,
  timeZone: string,
  changing: ChangingZone,
): Promise<void> {
  const plan = await planChange(opener(changing), application, { timeZone })
  if (plan.kind === 'hindered') throw refusal(plan.by)
}

/**
 * Lets an application count by the days of another zone, once its objects have read everything by these; its own zone gives a change
 * up. `read` reads the application again. Throws `conflict` if something else of it is changing.
 */
export async function changeTimeZone(
  read: () => Promise<Partitioned>,
  timeZone: string,
  changing: ChangingZone,
): Promise<void> {
  const open = opener(changing)
  for (let tries = 0; tries < TRIES; tries += 1) {
    const plan = await planChange(open, await read(), { timeZone })
    if (plan.kind === 'hindered') throw refusal(plan.by)
    if (!(await carryOut(open, plan, changing.now))) continue
    if (plan.kind === 'begin') changing.defer(wakeObjects(keysOf(plan.filled), changing.env.APPLICATIONS))
    return
  }
  throw new Failure('conflict', CHANGED_MEANWHILE)
}

/** Puts an application that was registered just now into a time zone. It has no events, so nothing need be read first. */
export async function startInTimeZone(
  read: () => Promise<Partitioned>,
  timeZone: string,
  changing: ChangingZone,
): Promise<void> {
  await changeTimeZone(read, timeZone, changing)
  const filling = await findFilling(changing.db, (await read()).id)
  if (filling && isSameZone(filling.timeZone, timeZone)) await takeOver(changing.db, filling, changing.now)
}

function opener({ env, db }: ChangingZone): (number: number) => BatchDatabase {
  return (number) => (number === 1 ? db : openDatabase(bindingOf(env, number)))
}

const CHANGED_MEANWHILE = 'Another request is changing this application. Try again.'

function refusal(hindrance: Hindrance): Failure {
  return new Failure('conflict', REFUSALS[hindrance.kind])
}

const REFUSALS: Readonly<Record<Hindrance['kind'], string>> = {
  filling:
    'The number of objects of this application is being changed. Change its time zone once that is complete, in a few minutes.',
  retired: ZONE_CHANGED_OFTEN,
  moving:
    'This application is being moved to another database. Change its time zone once that is complete, in a few minutes.',
}

/** How far the objects are that read everything by the days of the next zone. */
export interface ZoneProgress {
  readonly timeZone: string
  /** Events that they have read, and all events. Null if an object does not answer. */
  readonly events: { readonly read: number; readonly all: number } | null
}

/** Null while no other zone is being prepared. */
export async function readZoneProgress(
  { id: applicationId, objects, timeZone }: Pick<Partitioned, 'id' | 'objects' | 'timeZone'>,
  { env, db }: Pick<ChangingZone, 'env' | 'db'>,
): Promise<ZoneProgress | null> {
  const filling = await findFilling(db, applicationId)
  if (!filling || filling.timeZone === timeZone) return null
  const events = await Promise.all([countHeld(filling, env), countHeld({ applicationId, objects }, env)])
    .then(([read, all]) => ({ read: Math.min(read, all), all }))
    .catch(() => null)
  return { timeZone: filling.timeZone, events }
}

async function countHeld(partitioning: Partitioning, { APPLICATIONS: namespace }: Env): Promise<number> {
  const held = await Promise.all(keysOf(partitioning).map((key) => columnsObject(key, namespace).heldEvents()))
  return held.reduce((sum, events) => sum + events, 0)
}
