import { userHashOf } from '../collection/erasures.ts'
import type { Work, Working } from '../jobs/job.ts'
import { readLayouts } from '../objects/layouts.ts'
import { nameOfObject, type ObjectKey } from '../objects/object-name.ts'
import type { BatchDatabase } from '../storage/database.ts'
import { eraseLetters } from './letters.ts'
import { beginErasing, cutoffOf, databaseOfPerson, type Person, type Used } from './person.ts'
import { type Progress, START } from './progress.ts'
import {
  countOfUser,
  emptyContexts,
  emptyNames,
  eraseEvents,
  hideContexts,
  selectEventsOf,
  selectPlaceAfter,
  selectSaying,
  selectUsedContexts,
  showContexts,
  theseEvents,
  upsertErasure,
} from './sql.ts'

/** Events that a portion looks at, and those of the person that it deletes at most. */
const LOOKED_AT = 25_000
const DELETED = 1_000
/** Whoever sends what happened long ago while they are erased makes it begin anew, but not for ever. */
const MOST_ROUNDS = 5

interface Portion {
  readonly person: Person
  readonly progress: Progress
  /** That of the person's activity. */
  readonly db: BatchDatabase
  /** Whether events of the person may have gone before, as they were older than the application keeps. */
  readonly isKeptInPart: boolean
  readonly working: Working
}

/** Erases a person, a portion at a time. Where the application is gone, whoever deletes it takes everything away. */
export const eraseWork: Work = async (job, working) => {
  const progress = job.progress as Progress
  const person = { applicationId: job.applicationId, telegramId: progress.telegramId }
  const found = await databaseOfPerson(person, { env: working.env, directory: working.db })
  if (!found) return 'done'
  const { db, placement, keptFrom } = found
  const portion = { person, progress, db, isKeptInPart: keptFrom !== null, working }
  const hasMoved = String(progress.placement) !== String(placement)
  if (progress.stage === 'begin' || hasMoved) return { ...(await begin(portion)), placement }
  return STAGES[progress.stage](portion)
}

const STAGES: Readonly<Record<Exclude<Progress['stage'], 'begin'>, (portion: Portion) => Promise<Progress | 'done'>>> =
  {
    events: eraseSome,
    columns: forgetUser,
    used: findUsed,
    hidden: findUsed,
    texts: forgetTexts,
  }

async function begin({ person, progress, db, working }: Portion): Promise<Progress> {
  const { applicationId, telegramId } = person
  const now = working.now()
  const userHash = userHashOf(applicationId, telegramId)
  await upsertErasure(working.db, { applicationId, userHash, now, block: undefined })
  const used = await beginErasing(db, person, now)
  return { ...withUsed(progress, used), stage: 'events', erasedAt: now, after: START }
}

async function eraseSome({ person, progress, db, isKeptInPart, working }: Portion): Promise<Progress> {
  const { applicationId } = person
  const { after } = progress
  const until = cutoffOf(progress.erasedAt)
  const [upTo = null] = await selectPlaceAfter(db, { applicationId, after, count: LOOKED_AT })
  const stretch = { applicationId, after, upTo }
  const found = await selectEventsOf(db, person, { stretch, until, limit: DELETED })
  const places = found.map(({ place }) => place)
  if (found.length > 0) await db.batch(eraseEvents(db, person, theseEvents(places), working.now()))
  const next = (found.length === DELETED && places.at(-1)) || upTo
  const used = { names: places.map(([nameId]) => nameId), contexts: found.map(({ contextId }) => contextId) }
  const further = withUsed(progress, used)
  if (next) return { ...further, after: next }
  await eraseLetters(working.db, person)
  const isLate = ((await countOfUser(db, person))[0]?.firstActiveAt ?? Number.POSITIVE_INFINITY) <= until
  // Some of what came meanwhile is counted and gone.
  if (isLate && progress.round < MOST_ROUNDS) return { ...further, stage: 'begin', round: progress.round + 1 }
  return { ...withUsed(further, isKeptInPart ? await findSaying(db, person) : NOTHING), stage: 'columns' }
}

const NOTHING: Used = { names: [], contexts: [] }

/** What says the person's messenger id: nothing tells otherwise which names and contexts events had that went before. */
async function findSaying(db: BatchDatabase, person: Person): Promise<Used> {
  const [names, contexts] = await db.batch(selectSaying(db, person))
  return { names: names.map(toId), contexts: contexts.map(toId) }
}

function toId({ id }: { readonly id: number }): number {
  return id
}

function withUsed(progress: Progress, { names, contexts }: Used): Progress {
  return {
    ...progress,
    names: [...new Set([...progress.names, ...names])],
    contexts: [...new Set([...progress.contexts, ...contexts])],
  }
}

async function forgetUser(portion: Portion): Promise<Progress> {
  const { person, progress, working } = portion
  for (const key of await keysOfPerson(portion)) {
    const isForgotten = await objectOf(key, working).forgetUser(key, person.telegramId)
    if (!isForgotten) return progress
  }
  return { ...progress, stage: 'used', after: START }
}

/** Contexts have no index by events: all events are looked at, until others have all of them, which is soon as a rule. */
async function findUsed({ person: { applicationId }, progress, db }: Portion): Promise<Progress> {
  const { stage, after, contexts } = progress
  const [upTo = null] =
    contexts.length > 0 ? await selectPlaceAfter(db, { applicationId, after, count: LOOKED_AT }) : []
  const stretch = { applicationId, after, upTo }
  const used = contexts.length > 0 ? await selectUsedContexts(db, { stretch, contextIds: contexts }) : []
  if (stage === 'hidden' && used.length > 0) await showContexts(db, applicationId, used)
  const rest = contexts.filter((id) => !used.includes(id))
  if (upTo && rest.length > 0) return { ...progress, contexts: rest, after: upTo }
  if (stage === 'used') {
    await hideContexts(db, applicationId, rest)
    return { ...progress, stage: 'hidden', contexts: rest, after: START }
  }
  await emptyContexts(db, applicationId, rest)
  const names = await emptyNames(db, applicationId, progress.names)
  return { ...progress, stage: 'texts', contexts: rest, names: names.map(({ id }) => id) }
}

async function forgetTexts(portion: Portion): Promise<'done'> {
  const { progress, working } = portion
  const { names, contexts } = progress
  for (const key of await keysOfPerson(portion)) await objectOf(key, working).forgetTexts(key, { names, contexts })
  return 'done'
}

/** The objects that keep the person's activity, of each layout. */
async function keysOfPerson({ person, db }: Portion): Promise<ObjectKey[]> {
  const { applicationId, telegramId } = person
  const layouts = await readLayouts(db, applicationId)
  return layouts.map((objects) => ({ applicationId, objects, part: telegramId % objects }))
}

function objectOf(key: ObjectKey, { env }: Working) {
  return env.APPLICATIONS.getByName(nameOfObject(key))
}
