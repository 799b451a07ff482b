import { abortAllDurableObjects, createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import worker from '../../src/index.ts'
import type { Placement } from '../../src/storage/activity.ts'
import { keysOf } from '../../src/storage/object-name.ts'
import { createPlainApplication } from '../support/applications.ts'
import { segmentationPath } from '../support/asking.ts'
import { holds, reachesAll } from '../support/cases.ts'
import { type FunnelAnswer, withCloseTimes } from '../support/close-times.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { getDirectly } from '../support/direct-request.ts'
import { DAY_MS, type SentEvent } from '../support/event-history.ts'
import { storedKeyOf } from '../support/event-keys.ts'
import { orderInstantsBy } from '../support/filter-oracle.ts'
import { answerFunnel } from '../support/funnel-oracle.ts'
import { countFigures, pairsOf, readColumns, readDatabase, readFigures, readPairs } from '../support/held-columns.ts'
import { type AskedHistory, askedFunnels, askedSegmentations } from '../support/made-up-questions.ts'
import { giveDatabase, settle, stubOf, within } from '../support/objects.ts'
import { placements, spreadOver } from '../support/placement.ts'
import { RareStates } from '../support/rare-states.ts'
import { answerSegmentation } from '../support/segmentation-oracle.ts'
import { tell } from '../support/telling.ts'

orderInstantsBy(storedKeyOf)

const TODAY = Math.floor(Date.now() / DAY_MS)

/** What may befall an application's objects between two deliveries. */
type Mishap =
  | { readonly kind: 'abort' | 'alarm lost' | 'work' | 'question' | 'nothing' }
  | { readonly kind: 'database fails'; readonly after: number }

const mishap: fc.Arbitrary<Mishap> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Mishap>({ kind: 'work' }, { kind: 'question' }, { kind: 'nothing' }) },
  { weight: 2, arbitrary: fc.constantFrom<Mishap>({ kind: 'abort' }, { kind: 'alarm lost' }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('database fails' as const), after: fc.nat(8) }) },
)

interface Step {
  readonly events: readonly SentEvent[]
  readonly mishaps: readonly Mishap[]
}

/** Everything at least once, out of order, some of it twice, some of it from years ago. */
function stepsOf(events: readonly SentEvent[]): fc.Arbitrary<Step[]> {
  const old = fc
    .subarray([...events], { maxLength: Math.min(5, events.length) })
    .map((some) => some.map((event, place) => toOld(event, place)))
  const sendings = fc.tuple(fc.subarray([...events]), old).chain(([again, old]) => {
    const all = [...events, ...again, ...old]
    return fc.shuffledSubarray(all, { minLength: all.length })
  })
  const sizes = fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 4 })
  const mishaps = fc.array(fc.array(mishap, { maxLength: 2 }), { minLength: 3, maxLength: 12 })
  return fc
    .tuple(sendings, sizes, mishaps)
    .map(([sent, sizes, mishaps]) =>
      chunksOf(sent, sizes).map((events, place) => ({ events, mishaps: mishaps[place % mishaps.length] ?? [] })),
    )
}

function toOld(event: SentEvent, place: number): SentEvent {
  return { ...event, event_id: `${event.event_id} of old`, datetime: event.datetime - (400 + place * 200) * DAY_MS }
}

function chunksOf<T>(items: readonly T[], sizes: readonly number[]): T[][] {
  const chunks: T[][] = []
  for (let from = 0; from < items.length; from += chunks.at(-1)?.length ?? 1) {
    chunks.push(items.slice(from, from + (sizes[chunks.length % sizes.length] as number)))
  }
  return chunks
}

const states = new RareStates([
  'objects are evicted between two deliveries',
  'an alarm is lost',
  'the database fails half-way through a run',
  'a question is asked while objects lag behind',
  'an event arrives twice',
  'a late event changes a day that is over',
  'an object without users',
])

const life = livesOf(askedSegmentations({ questions: 4 }))

const funnelLife = livesOf(askedFunnels({ questions: 4 }))

function livesOf<Question>(histories: fc.Arbitrary<AskedHistory<Question>>) {
  return fc.tuple(histories, fc.constantFrom(1, 2, 4)).chain(([asked, objects]) =>
    fc.record({
      ...constants({ ...asked, objects }),
      databases: placements(objects),
      steps: stepsOf(asked.history.events),
    }),
  )
}

function constants<T extends object>(values: T) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fc.constant(value)])) as {
    [Name in keyof T]: fc.Arbitrary<T[Name]>
  }
}

it("has the database's events and equals a brute-force count, whatever happened to the objects", async () => {
  await holds(
    fc.asyncProperty(life, async ({ objects, databases, steps, asked }) => {
      const { applicationId, key, sent } = await live({ objects, databases }, steps)
      for (const { question, path } of asked) {
        const answer = await getDirectly(path, key)
        expect(answer, tell(sent, question, path)).toEqual(answerSegmentation(sent, question))
      }
      const stored = await readDatabase(applicationId)
      expect(stored).toHaveLength(sent.length)
      expect(await readColumns(applicationId, objects)).toEqual(stored)
      expect(await readPairs(applicationId, objects)).toEqual(pairsOf(stored))
      expect(await readFigures({ applicationId, objects })).toEqual(countFigures(sent))
    }),
    { atLeast: 5, atMost: 200, endOnFailure: true },
  )
})

it('answers funnels like trying every chain, whatever happened to the objects', async () => {
  await holds(
    fc.asyncProperty(funnelLife, async ({ objects, databases, steps, asked }) => {
      const { key, sent } = await live({ objects, databases }, steps)
      for (const { question, path } of asked) {
        const answer = await getDirectly<FunnelAnswer>(path, key)
        const expected = answerFunnel(sent, { ...question, keyOf: storedKeyOf })
        expect(withCloseTimes(answer, expected), tell(sent, question, path)).toEqual(expected)
      }
    }),
    { atLeast: 5, atMost: 200, states, endOnFailure: true },
  )
})

reachesAll(states)

/** Lets a new application go through this, and its objects settle. */
async function live({ objects, databases }: { objects: number; databases: Placement }, steps: readonly Step[]) {
  const { applicationId, key } = await createPlainApplication()
  await spreadOver(applicationId, objects, databases)
  const sent = new Map<string, SentEvent>()
  const stored: Stored[] = []
  for (const { events, mishaps } of steps) {
    for (const event of events) {
      states.seen('an event arrives twice', sent.has(event.event_id))
      states.seen('a late event changes a day that is over', event.event_id.endsWith(' of old'))
      sent.set(event.event_id, event)
    }
    await deliver(messagesOf(applicationId, events))
    stored.push({ events, at: Date.now() })
    for (const mishap of mishaps) await befall(mishap, { applicationId, objects, key, stored })
  }
  await settle(applicationId, objects)
  states.seen(
    'an object without users',
    new Set(sent.values().map((event) => event.telegram_id % objects)).size < objects,
  )
  return { applicationId, key, sent: [...sent.values()] }
}

interface Stored {
  readonly events: readonly SentEvent[]
  /** The moment until which events were stored: milliseconds since 1970 UTC. */
  readonly at: number
}

interface Living {
  readonly applicationId: number
  readonly objects: number
  readonly key: string
  readonly stored: readonly Stored[]
}

async function befall(mishap: Mishap, living: Living): Promise<void> {
  states.seen('objects are evicted between two deliveries', mishap.kind === 'abort')
  states.seen('an alarm is lost', mishap.kind === 'alarm lost')
  if (mishap.kind === 'abort') return abortAllDurableObjects()
  if (mishap.kind === 'question') return ask(living)
  for (const key of keysOf(living)) {
    const object = stubOf(key)
    if (mishap.kind === 'alarm lost') await within(key, (_, storage) => storage.deleteAlarm())
    if (mishap.kind === 'work') await object.readChanges(key)
    if (mishap.kind === 'database fails') {
      await giveDatabase(key, failingAfter(mishap.after))
      await object
        .readChanges(key)
        .catch(() => states.seen('the database fails half-way through a run', mishap.after > 0))
      await giveDatabase(key, env.DB)
    }
  }
}

/** A database that goes away after this many calls. */
function failingAfter(calls: number): Partial<D1Database> {
  let left = calls
  const call = <T>(answer: () => Promise<T>) => {
    left -= 1
    return left < 0 ? Promise.reject(new Error('D1_ERROR: Network connection lost.')) : answer()
  }
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get: (target, name) => {
        if (name === 'bind') return (...values: unknown[]) => wrap(target.bind(...values))
        if (name !== 'all' && name !== 'run' && name !== 'raw') return Reflect.get(target, name)
        return () => call(() => (target[name] as () => Promise<unknown>)())
      },
    })
  return {
    prepare: (sql: string) => wrap(env.DB.prepare(sql)),
    batch: (statements: D1PreparedStatement[]) => call(() => env.DB.batch(statements)) as never,
  }
}

/** Expects that the answer counts everything stored before its moment, and nothing that was never sent. */
async function ask({ key, stored }: Living): Promise<void> {
  const question = { event: '_active', mode: 'totals' as const, filters: [], groupBy: [], from: TODAY - 45, to: TODAY }
  const request = new Request(`https://mauve.test${segmentationPath(question)}`, { headers: { 'x-api-key': key } })
  const response = await worker.fetch(request, env, createExecutionContext())
  expect([200, 503]).toContain(response.status)
  if (response.status !== 200) return
  const asOf = Date.parse(response.headers.get('figures-as-of') ?? '')
  const { yValues } = await response.json<{ yValues: { data: number[] }[] }>()
  const [told, before, ever] = [
    yValues[0]?.data ?? [],
    countDays(stored.filter(({ at }) => at < asOf)),
    countDays(stored),
  ]
  states.seen(
    'a question is asked while objects lag behind',
    stored.some(({ at }) => at >= asOf),
  )
  for (const [place, events] of told.entries()) {
    const day = question.from + place
    expect(events).toBeGreaterThanOrEqual(before.get(day) ?? 0)
    expect(events).toBeLessThanOrEqual(ever.get(day) ?? 0)
  }
}

function countDays(stored: readonly Stored[]): Map<number, number> {
  const distinct = new Map(stored.flatMap(({ events }) => events).map((event) => [event.event_id, event]))
  const byDay = Map.groupBy(distinct.values(), ({ datetime }) => Math.floor(datetime / DAY_MS))
  return new Map([...byDay].map(([day, events]) => [day, events.length]))
}
