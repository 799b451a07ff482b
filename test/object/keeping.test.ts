import { abortAllDurableObjects } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { Activity } from '../../src/columns/activity.ts'
import { Store } from '../../src/columns/store.ts'
import { deleteEvents, markRemembered, theseEvents } from '../../src/lifecycle/jobs/statements.ts'
import { rememberFirsts, selectOldEvents } from '../../src/lifecycle/retention/sql.ts'
import { bindingOf, databaseOf, type Placement } from '../../src/storage/activity.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { keysOf, MAX_OBJECTS, type Partitioning, partsOf } from '../../src/storage/object-name.ts'
import { createPlainApplication, type PlainApplication } from '../support/applications.ts'
import { askPeriod, type Parameter, toPath } from '../support/asking.ts'
import { holds } from '../support/cases.ts'
import { getJson } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { getDirectly } from '../support/direct-request.ts'
import { DAY_MS, type MadeHistory, type SentEvent } from '../support/event-history.ts'
import { storedKeyOf } from '../support/event-keys.ts'
import { orderInstantsBy } from '../support/filter-oracle.ts'
import { countFigures, pairsOf, readColumns, readDatabase, readFigures, readPairs } from '../support/held-columns.ts'
import { askFilters, filtersOf } from '../support/made-up-questions.ts'
import { readAllChanges, stubOf, within } from '../support/objects.ts'
import { placements, spreadOver } from '../support/placement.ts'
import { dateOf } from '../support/series-oracle.ts'
import { visitsOn } from '../support/visits.ts'

orderInstantsBy(storedKeyOf)

const TODAY = Math.floor(Date.now() / DAY_MS)
/** The number of days after the first kept day from which on answers are complete. */
const LOOK_BACK_DAYS = 30

/**
 * Days on which something happens, by the first one that is kept: some before it, often none before the first one about which
 * everything is known, and some later. So many who come then were there before, as nothing else tells.
 */
const offsets = fc
  .tuple(
    fc.subarray([-30, -8, -7, -2, -1], { minLength: 1, maxLength: 3 }),
    fc.subarray([0, 1, 2, 28, 29], { maxLength: 2 }),
    fc.subarray([30, 31, 32, 36, 37, 38, 44, 50, 59], { minLength: 1, maxLength: 4 }),
  )
  .map((parts) => parts.flat())

interface Asked {
  readonly path: string
  readonly own?: readonly Parameter[]
  /** Set if the question is also about the period before. */
  readonly before?: true
  /** The number of earlier days that the question is also about. */
  readonly earlier?: number
}

const ASKED: readonly Asked[] = [
  { path: '/users/activity', before: true },
  { path: '/sessions/average', before: true },
  { path: '/sessions/length' },
  { path: '/events/segmentation', own: Object.entries({ event: '_active' }), before: true },
  { path: '/events/segmentation', own: Object.entries({ event: 'visit', group_by: 'city' }), before: true },
  { path: '/funnels', own: Object.entries({ events: '["visit","order"]', order: 'strict' }), before: true },
  { path: '/events/paths', own: Object.entries({ event: 'visit', direction: 'before' }) },
  { path: '/retention' },
  { path: '/retention', own: Object.entries({ group_by: 'country', return_event: 'order' }) },
  { path: '/retention', own: Object.entries({ interval: 'week', mode: 'unbounded' }), earlier: 6 },
  { path: '/properties/country/values' },
  { path: '/properties' },
  { path: '/users/segmentation/aggregated', own: [['aggregation_param', 'is_premium']] },
]

/** Paths of questions about days from this one on. */
function pathsFrom(since: number, history: MadeHistory): fc.Arbitrary<string[]> {
  const period = fc.record({ gap: fc.oneof(fc.constant(0), fc.nat(8)), length: fc.integer({ min: 1, max: 8 }) })
  const asked = ASKED.map(({ path, own = [], before, earlier = 0 }) =>
    fc.tuple(period, filtersOf(history).chain(askFilters)).map(([{ gap, length }, filters]) => {
      const from = since + gap + (before ? length : earlier)
      const days = askPeriod({ from, to: from + length - 1 })
      const isFiltered = path.startsWith('/users/segmentation') || path === '/properties'
      return toPath(path, [...own, ...days, ...(isFiltered ? [] : filters)])
    }),
  )
  return fc.tuple(...asked)
}

/** Events that are sent before the first day is known, after that, and after earlier ones were dropped. */
function sendingsOf({ events }: MadeHistory): fc.Arbitrary<SentEvent[][]> {
  const when = fc.array(fc.constantFrom(0, 0, 1, 2), { minLength: events.length, maxLength: events.length })
  return when.map((times) => [0, 1, 2].map((time) => events.filter((_, place) => times[place] === time)))
}

const life = fc
  .record({
    keptFrom: fc.integer({ min: 60, max: 75 }).map((ago) => TODAY - ago),
    /** Days that are kept at first, and then no more. */
    more: fc.constantFrom(1, 2, 7),
    offsets,
    objects: fc.constantFrom(1, 2, 4),
    killed: fc.constantFrom('never', 'at first', 'then', 'then'),
    refilling: fc.constantFrom('not', 'from all rows', 'from what is kept'),
  })
  .chain((chosen) => {
    const days = chosen.offsets.map((offset) => chosen.keptFrom + offset).filter((day) => day < TODAY)
    return visitsOn(days).chain((history) =>
      fc.record({
        chosen: fc.constant(chosen),
        databases: placements(chosen.objects),
        history: fc.constant(history),
        sendings: sendingsOf(history),
        paths: pathsFrom(chosen.keptFrom + LOOK_BACK_DAYS, history),
      }),
    )
  })

it('answers as before after earlier days are dropped', async () => {
  await holds(
    fc.asyncProperty(life, async ({ chosen, databases, history, sendings, paths }) => {
      const { keptFrom, more, objects, killed, refilling } = chosen
      const [first = [], then = [], late = []] = sendings
      const { applicationId, handle, key } = await createPlainApplication()
      const partitioning = { applicationId, objects }
      await spreadOver(applicationId, objects, databases)
      await send(applicationId, first)
      await readAllChanges(partitioning)
      await send(applicationId, then)
      if (killed === 'at first') await killWhileDropping(partitioning, keptFrom - more)
      await keepFrom(partitioning, keptFrom - more)
      // What was on its way when the day was set is stored, as long as no fence was raised.
      await setKeptFrom(applicationId, null)
      await send(applicationId, late)
      await readAllChanges(partitioning)
      if (killed === 'then') await killWhileDropping(partitioning, keptFrom)
      await keepFrom(partitioning, keptFrom)
      await expectKept(partitioning, keptFrom)
      if (refilling === 'from all rows') await refill(partitioning)
      await expectKept(partitioning, keptFrom)
      // Until then, first events that were on their way, or that a refill skipped, are in no columns.
      await deleteBefore(applicationId, { day: keptFrom, databases })
      if (refilling === 'from what is kept') await refill(partitioning)
      await readAllChanges(partitioning)
      await expectKept(partitioning, keptFrom)
      const whole = await createWhole(history.events)
      for (const path of [...paths, `/enterprise/${handle}`]) {
        const expected = await getDirectly<object>(path.replace(handle, whole.handle), whole.key)
        const named = 'handle' in expected ? { handle } : {}
        expect(await getDirectly(path, key), path).toEqual({ ...expected, ...named, status_code: 200 })
      }
      const since = keptFrom - more + LOOK_BACK_DAYS
      const before = countFigures([...first, ...then]).filter(({ day }) => day < since)
      const after = countFigures(history.events).filter(({ day }) => day >= since)
      // An object that knew nobody yet writes figures of what came on its way, too.
      const known = new Set([...first, ...then].map(({ telegram_id }) => telegram_id % objects))
      const figures = (await readFigures(partitioning)).filter(({ day }) => known.size === objects || day >= since)
      expect(figures).toEqual(known.size === objects ? [...before, ...after] : after)
    }),
    { atLeast: 2, atMost: 100, endOnFailure: true },
  )
})

it('writes the figures of days to be dropped, even if it is filled only then', async () => {
  const { applicationId } = await createPlainApplication()
  const [partitioning, keptFrom] = [{ applicationId, objects: 2 }, TODAY - 61]
  await spreadOver(applicationId, 2)
  const days = [keptFrom - 40, keptFrom + 3, TODAY - 1]
  const events = days.flatMap((day) =>
    [1, 2].map((user) => ({ ...visitAt(day * DAY_MS, day * 2 + user), telegram_id: user })),
  )
  await send(applicationId, events)
  await keepFrom(partitioning, keptFrom)
  await expectKept(partitioning, keptFrom)
  expect(await readFigures(partitioning)).toEqual(countFigures(events))
})

it('lists no events for a user whose events are all deleted, and answers 404 for unknown users', async () => {
  const { applicationId, key } = await createPlainApplication()
  const [partitioning, keptFrom] = [{ applicationId, objects: 1 }, TODAY - 61]
  const others = [visitAt((keptFrom - 1) * DAY_MS, 0), { ...visitAt(TODAY * DAY_MS, 1), telegram_id: 2 }]
  await send(applicationId, others)
  await readAllChanges(partitioning)
  await keepFrom(partitioning, keptFrom)
  const nothing = { data: [], next: null, status_code: 200 }
  expect(await (await getJson('/users/1/events', key)).json()).toMatchObject(nothing)
  await refill(partitioning)
  expect(await (await getJson('/users/1/events', key)).json()).toMatchObject(nothing)
  expect((await getJson('/users/3/events', key)).status).toBe(404)
})

it("reports the first day with complete data, and numbers a user's sessions from the first stored one", async () => {
  const { applicationId, key } = await createPlainApplication()
  const keptFrom = TODAY - 61
  const midnight = keptFrom * DAY_MS
  const times = [midnight - DAY_MS, midnight - 1, midnight, midnight + DAY_MS]
  await send(applicationId, times.map(visitAt))
  await readAllChanges({ applicationId, objects: 1 })
  const ask = async (path: string) => {
    const response = await getJson(path, key)
    return { since: response.headers.get('data-since'), body: await response.json<{ data: unknown }>() }
  }
  expect((await ask('/users/1/events')).since).toBeNull()
  await keepFrom({ applicationId, objects: 1 }, keptFrom)
  const { since, body } = await ask('/users/1/events')
  expect(since).toBe(dateOf(keptFrom + LOOK_BACK_DAYS))
  expect(body.data).toMatchObject([
    { time: new Date(midnight + DAY_MS).toISOString(), session: 2 },
    { time: new Date(midnight).toISOString(), session: 1 },
  ])
  expect((await ask('/users/segmentation')).since).toBeNull()
})

function visitAt(datetime: number, place: number): SentEvent {
  return { event_id: `visit ${place}`, event_type: 'visit', telegram_id: 1, datetime }
}

/** Creates an application with the same events that keeps everything. */
async function createWhole(events: readonly SentEvent[]): Promise<PlainApplication> {
  const application = await createPlainApplication()
  await send(application.applicationId, events)
  await readAllChanges({ ...application, objects: 1 })
  return application
}

async function expectKept({ applicationId, objects }: Partitioning, keptFrom: number): Promise<void> {
  const stored = (await readDatabase(applicationId)).filter(({ time }) => time >= keptFrom * DAY_MS)
  expect(await readColumns(applicationId, objects)).toEqual(stored)
  expect(await readPairs(applicationId, objects)).toEqual(pairsOf(stored))
}

async function send(applicationId: number, events: readonly SentEvent[]): Promise<void> {
  if (events.length > 0) await deliver(messagesOf(applicationId, events))
}

async function keepFrom(partitioning: Partitioning, day: number): Promise<void> {
  await setKeptFrom(partitioning.applicationId, day)
  for (const key of keysOf(partitioning)) while (!(await stubOf(key).keepFrom(key)));
}

async function setKeptFrom(applicationId: number, day: number | null): Promise<void> {
  await env.DB.prepare('update applications set kept_from = ? where id = ?').bind(day, applicationId).run()
}

/** Once days are forgotten, and before any event is dropped. */
async function killWhileDropping(partitioning: Partitioning, day: number): Promise<void> {
  const dropping = vi.spyOn(Activity.prototype, 'dropOlder').mockImplementationOnce(() => {
    throw new Error('killed')
  })
  // Whoever woke it first is the one that is killed.
  await keepFrom(partitioning, day).catch(() => {})
  expect(dropping).toHaveBeenCalled()
  dropping.mockRestore()
  await abortAllDurableObjects()
}

/**
 * Deletes events as the retention job does: what users' first events said is noted in the same batch, and objects are asked to read the
 * notes.
 */
async function deleteBefore(applicationId: number, { day, databases }: { day: number; databases: Placement }) {
  for (const number of new Set(databases)) {
    const db = openDatabase(bindingOf(env, number))
    const rows = theseEvents(await selectOldEvents(db, { applicationId, before: day * DAY_MS, limit: ALL }))
    const slots = partsOf(MAX_OBJECTS).filter((slot) => databaseOf(databases, slot) === number)
    await db.batch([
      ...rememberFirsts(db, applicationId, rows),
      ...deleteEvents(db, applicationId, rows),
      markRemembered(db, { applicationId, slots, from: 0, to: Number.MAX_SAFE_INTEGER, now: Date.now() }),
    ])
  }
}

/** More events than a history has. */
const ALL = 100_000

/** After damage. */
async function refill(partitioning: Partitioning): Promise<void> {
  for (const key of keysOf(partitioning)) await within(key, (_, storage) => new Store(storage).clear())
  await abortAllDurableObjects()
  await readAllChanges(partitioning)
}
