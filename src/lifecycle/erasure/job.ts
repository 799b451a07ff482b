import { readLayouts } from '../../accounts/applications/placement.ts'
import { noteErasure } from '../../collection/erased-users/noting.ts'
import { databaseOf } from '../../storage/activity.ts'
import { columnsObject } from '../../storage/application-objects.ts'
import type { BatchDatabase } from '../../storage/database.ts'
import { countOf } from '../../storage/object-name.ts'
import { isIn, type JobStep, workOf } from '../jobs/plan.ts'
import { theseEvents } from '../jobs/statements.ts'
import { replaceSome, SCAN_START } from '../start-parameters/replacing.ts'
import { beginErasing, cutoffOf, type ErasureProgress, START, type Used } from './begin.ts'
import { eraseDeadLetters, eraseFromSources, eraseMentions } from './mentions.ts'
import {
  countOfUser,
  type ErasedPerson,
  emptyContexts,
  emptyNames,
  eraseEvents,
  hideContexts,
  selectCursorAfter,
  selectEventsOf,
  selectMentioning,
  selectUsedContexts,
  showContexts,
} from './sql.ts'

/** How many events a step reads, and how many of the person's it deletes at most. */
const READ = 25_000
const DELETED = 1_000
/** A person whose old events arrive during the erasure makes it start over, but not for ever. */
const MOST_ROUNDS = 5

type ErasureStep = JobStep<ErasureProgress>

export const eraseWork = workOf<ErasureProgress, ErasureProgress['stage']>({
  stageOf: ({ stage }) => stage,
  isCurrent: ({ placement }, application) => isIn(application, placement),
  otherwise: begin,
  steps: {
    begin,
    events: eraseSome,
    referrers: eraseReferrer,
    columns: forgetUser,
    used: findUsed,
    hidden: findUsed,
    texts: forgetTexts,
  },
})

async function begin(step: ErasureStep): Promise<Partial<ErasureProgress>> {
  const { note, db: directory, env, placement, fencedBatch } = step
  const { person, db } = activityOf(step)
  const erasedAt = step.now()
  const batch = await fencedBatch(db)
  await noteErasure(person, { directory, secrets: env.KEY_SEALING_SECRET, now: erasedAt, block: note.block })
  const used = await beginErasing(db, person, erasedAt, batch)
  return {
    ...withUsed(note, used),
    block: undefined,
    placement,
    stage: 'events',
    erasedAt,
    after: START,
    scan: SCAN_START,
  }
}

function activityOf({ applicationId, note, placement, open }: ErasureStep) {
  const { telegramId } = note
  return { person: { applicationId, telegramId }, db: open(databaseOf(placement, telegramId)) }
}

async function eraseSome(step: ErasureStep): Promise<Partial<ErasureProgress>> {
  const { note, applicationId, db: directory, fencedBatch } = step
  const { person, db } = activityOf(step)
  const { after } = note
  const until = cutoffOf(note.erasedAt)
  const [upTo = null] = await selectCursorAfter(db, { applicationId, after, count: READ })
  const range = { applicationId, after, upTo }
  const found = await selectEventsOf(db, person, { range, until, limit: DELETED })
  const keys = found.map(({ key }) => key)
  if (keys.length > 0) {
    // Deletes what was found before: events that arrive later are a new user's.
    const batch = await fencedBatch(db)
    await batch(eraseEvents(db, person, theseEvents(keys), step.now()))
  }
  const next = (found.length === DELETED && keys.at(-1)) || upTo
  const used = withUsed(note, {
    names: keys.map(([nameId]) => nameId),
    contexts: found.map(({ contextId }) => contextId),
  })
  if (next) return { ...used, after: next }
  await eraseDeadLetters(directory, person)
  await eraseMentions(directory, person)
  const isLate = ((await countOfUser(db, person))[0]?.firstActiveAt ?? Number.POSITIVE_INFINITY) <= until
  // Events that arrived meanwhile are counted in the new row, but some of them are deleted.
  if (isLate && note.round < MOST_ROUNDS) return { ...used, stage: 'begin', round: note.round + 1 }
  // The names and contexts of events that retention deleted are found only by their texts.
  const mentioning = step.keptSince === null ? NOTHING : await findMentioning(db, person)
  return { ...withUsed(used, mentioning), stage: 'referrers' }
}

const NOTHING: Used = { names: [], contexts: [] }

async function findMentioning(db: BatchDatabase, person: ErasedPerson): Promise<Used> {
  const [names, contexts] = await db.batch(selectMentioning(db, person))
  return { names: names.map(({ id }) => id), contexts: contexts.map(({ id }) => id) }
}

function withUsed(known: Used, { names, contexts }: Used): Used {
  return { names: [...new Set([...known.names, ...names])], contexts: [...new Set([...known.contexts, ...contexts])] }
}

/** What arrives from then on is replaced before it is stored. */
async function eraseReferrer(step: ErasureStep): Promise<Partial<ErasureProgress>> {
  const { applicationId, databases, fencedBatch, note, db: directory } = step
  const { telegramId, scan = SCAN_START } = note
  const next = await replaceSome(scan, { applicationId, telegramId, databases, fencedBatch })
  if (next) return { scan: next }
  await eraseFromSources(directory, { applicationId, telegramId })
  return { stage: 'columns', scan: SCAN_START }
}

async function forgetUser(step: ErasureStep): Promise<Partial<ErasureProgress>> {
  for (const object of await objectsOfPerson(step)) {
    const isForgotten = await object.forgetUser(step.note.telegramId)
    if (!isForgotten) return {}
  }
  return { stage: 'used', after: START }
}

/** Contexts have no index by events, so this reads all events until it has found each context with others, which is usually soon. */
async function findUsed(step: ErasureStep): Promise<Partial<ErasureProgress>> {
  const { note, applicationId, fencedBatch } = step
  const { db } = activityOf(step)
  const { stage, after, names, contexts } = note
  const [upTo = null] = contexts.length > 0 ? await selectCursorAfter(db, { applicationId, after, count: READ }) : []
  const range = { applicationId, after, upTo }
  const used = contexts.length > 0 ? await selectUsedContexts(db, { range, contextIds: contexts }) : []
  const batch = await fencedBatch(db)
  if (stage === 'hidden' && used.length > 0) await batch([showContexts(db, applicationId, used)])
  const rest = contexts.filter((id) => !used.includes(id))
  if (upTo && rest.length > 0) return { contexts: rest, after: upTo }
  if (stage === 'used') {
    await batch([hideContexts(db, applicationId, rest)])
    return { stage: 'hidden', contexts: rest, after: START }
  }
  const emptying = [emptyContexts(db, applicationId, rest), emptyNames(db, applicationId, names)] as const
  const [, emptied] = await batch(emptying)
  return { stage: 'texts', contexts: rest, names: emptied.map(({ id }) => id) }
}

async function forgetTexts(step: ErasureStep): Promise<'done'> {
  const { names, contexts } = step.note
  for (const object of await objectsOfPerson(step)) await object.forgetTexts({ names, contexts })
  const layouts = await readLayouts(activityOf(step).db, step.applicationId)
  for (const object of step.objectsOf(layouts)) await object.forgetReferrer(step.note.telegramId)
  return 'done'
}

/** The objects that hold the person's activity, of each partitioning. */
async function objectsOfPerson(step: ErasureStep): Promise<ReturnType<typeof columnsObject>[]> {
  const { applicationId, note, env } = step
  const layouts = await readLayouts(activityOf(step).db, applicationId)
  return layouts.map((objects) => {
    return columnsObject({ applicationId, objects, part: note.telegramId % countOf(objects) }, env.APPLICATIONS)
  })
}
