import { readLayouts } from '../../accounts/applications/placement.ts'
import { noteErasure } from '../../collection/erased-users/noting.ts'
import { requireFence } from '../../collection/fences/fence.ts'
import { columnsObject } from '../../storage/application-objects.ts'
import type { BatchDatabase } from '../../storage/database.ts'
import type { ObjectKey } from '../../storage/object-name.ts'
import { isSamePlacement, type Job, type Work, type Working } from '../jobs/job.ts'
import { hold } from '../jobs/jobs.ts'
import { theseEvents } from '../rows/deleting.ts'
import { eraseDeadLetters } from './dead-letters.ts'
import { beginErasing, cutoffOf, databaseOfPerson, type ErasedPerson, type Used } from './person.ts'
import { type ErasureProgress, START } from './progress.ts'
import { eraseSavedQuestions } from './saved-questions.ts'
import {
  countOfUser,
  emptyContexts,
  emptyNames,
  eraseEvents,
  hideContexts,
  selectCursorAfter,
  selectEventsOf,
  selectSaying,
  selectUsedContexts,
  showContexts,
} from './sql.ts'

/** Events that a step looks at, and those of the person that it deletes at most. */
const LOOKED_AT = 25_000
const DELETED = 1_000
/** Whoever sends what happened long ago while they are erased makes it begin anew, but not for ever. */
const MOST_ROUNDS = 5

interface Step {
  readonly job: Job
  readonly person: ErasedPerson
  readonly progress: ErasureProgress
  /** That of the person's activity. */
  readonly db: BatchDatabase
  /** Whether events of the person may have gone before, as they were older than the application keeps. */
  readonly isKeptInPart: boolean
  readonly working: Working
}

/** Erases a person, a step at a time. Where the application is gone, whoever deletes it takes everything away. */
export const eraseWork: Work = async (job, working) => {
  const progress = job.progress as ErasureProgress
  const person = { applicationId: job.applicationId, telegramId: progress.telegramId }
  const found = await databaseOfPerson(person, { env: working.env, directory: working.db })
  if (!found) return 'done'
  const { db, placement, keptFrom } = found
  const step = { job, person, progress, db, isKeptInPart: keptFrom !== null, working }
  if (progress.stage === 'begin' || !isSamePlacement(progress.placement, placement))
    return { ...(await begin(step)), placement }
  return STEPS[progress.stage](step)
}

const STEPS: Readonly<
  Record<Exclude<ErasureProgress['stage'], 'begin'>, (step: Step) => Promise<ErasureProgress | 'done'>>
> = {
  events: eraseSome,
  columns: forgetUser,
  used: findUsed,
  hidden: findUsed,
  texts: forgetTexts,
}

async function begin({ job, person, progress, db, working }: Step): Promise<ErasureProgress> {
  const { block, ...rest } = progress
  const now = working.now()
  const held = await hold(db, job, working)
  await noteErasure(person, { directory: working.db, secrets: working.env.KEY_SEALING_SECRET, now, block })
  const used = await beginErasing(db, person, { erasedAt: now, held })
  return { ...withUsed(rest, used), stage: 'events', erasedAt: now, after: START }
}

async function eraseSome({ job, person, progress, db, isKeptInPart, working }: Step): Promise<ErasureProgress> {
  const { applicationId } = person
  const { after } = progress
  const until = cutoffOf(progress.erasedAt)
  const [upTo = null] = await selectCursorAfter(db, { applicationId, after, count: LOOKED_AT })
  const range = { applicationId, after, upTo }
  const found = await selectEventsOf(db, person, { range, until, limit: DELETED })
  const cursors = found.map(({ cursor }) => cursor)
  if (found.length > 0) {
    // Of what was found before: whatever comes later is of somebody new.
    const held = requireFence(db, applicationId, await hold(db, job, working))
    await db.batch([held, ...eraseEvents(db, person, theseEvents(cursors), working.now())])
  }
  const next = (found.length === DELETED && cursors.at(-1)) || upTo
  const used = { names: cursors.map(([nameId]) => nameId), contexts: found.map(({ contextId }) => contextId) }
  const further = withUsed(progress, used)
  if (next) return { ...further, after: next }
  await eraseDeadLetters(working.db, person)
  await eraseSavedQuestions(working.db, person)
  const isLate = ((await countOfUser(db, person))[0]?.firstActiveAt ?? Number.POSITIVE_INFINITY) <= until
  // Some of what came meanwhile is counted and gone.
  if (isLate && progress.round < MOST_ROUNDS) return { ...further, stage: 'begin', round: progress.round + 1 }
  return { ...withUsed(further, isKeptInPart ? await findSaying(db, person) : NOTHING), stage: 'columns' }
}

const NOTHING: Used = { names: [], contexts: [] }

/** What says the person's messenger id: nothing tells otherwise which names and contexts events had that went before. */
async function findSaying(db: BatchDatabase, person: ErasedPerson): Promise<Used> {
  const [names, contexts] = await db.batch(selectSaying(db, person))
  return { names: names.map(toId), contexts: contexts.map(toId) }
}

function toId({ id }: { readonly id: number }): number {
  return id
}

function withUsed(progress: ErasureProgress, { names, contexts }: Used): ErasureProgress {
  return {
    ...progress,
    names: [...new Set([...progress.names, ...names])],
    contexts: [...new Set([...progress.contexts, ...contexts])],
  }
}

async function forgetUser(step: Step): Promise<ErasureProgress> {
  const { person, progress, working } = step
  for (const key of await keysOfPerson(step)) {
    const isForgotten = await columnsObject(key, working.env.APPLICATIONS).forgetUser(person.telegramId)
    if (!isForgotten) return progress
  }
  return { ...progress, stage: 'used', after: START }
}

/** Contexts have no index by events: all events are looked at, until others have all of them, which is soon as a rule. */
async function findUsed({ job, person: { applicationId }, progress, db, working }: Step): Promise<ErasureProgress> {
  const { stage, after, contexts } = progress
  const [upTo = null] =
    contexts.length > 0 ? await selectCursorAfter(db, { applicationId, after, count: LOOKED_AT }) : []
  const range = { applicationId, after, upTo }
  const used = contexts.length > 0 ? await selectUsedContexts(db, { range, contextIds: contexts }) : []
  const held = requireFence(db, applicationId, await hold(db, job, working))
  if (stage === 'hidden' && used.length > 0) await db.batch([held, showContexts(db, applicationId, used)])
  const rest = contexts.filter((id) => !used.includes(id))
  if (upTo && rest.length > 0) return { ...progress, contexts: rest, after: upTo }
  if (stage === 'used') {
    await db.batch([held, hideContexts(db, applicationId, rest)])
    return { ...progress, stage: 'hidden', contexts: rest, after: START }
  }
  const emptying = [emptyContexts(db, applicationId, rest), emptyNames(db, applicationId, progress.names)] as const
  const [, , names] = await db.batch([held, ...emptying])
  return { ...progress, stage: 'texts', contexts: rest, names: names.map(({ id }) => id) }
}

async function forgetTexts(step: Step): Promise<'done'> {
  const { names, contexts } = step.progress
  for (const key of await keysOfPerson(step)) {
    await columnsObject(key, step.working.env.APPLICATIONS).forgetTexts({ names, contexts })
  }
  return 'done'
}

/** The objects that keep the person's activity, of each layout. */
async function keysOfPerson({ person, db }: Step): Promise<ObjectKey[]> {
  const { applicationId, telegramId } = person
  const layouts = await readLayouts(db, applicationId)
  return layouts.map((objects) => ({ applicationId, objects, part: telegramId % objects }))
}
