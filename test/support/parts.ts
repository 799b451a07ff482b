import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Columns } from '../../src/columns/columns.ts'
import { type EventProperty, parseProperty } from '../../src/columns/selection/filter.ts'
import { withRules } from '../../src/columns/selection/property-codes.ts'
import { toQueryParams } from '../../src/http/params.ts'
import type { QuestionOperation } from '../../src/questions/engine/question.ts'
import { type AnyReport, type Asking, BOUNDS, type Bounds, type Question } from '../../src/questions/engine/report.ts'
import { REPORTS } from '../../src/questions/operations.ts'
import { answerReport } from '../../src/questions/user-cohorts/asked-cohorts.ts'
import { CASE_STATES, type Case, type CaseState } from './case-states.ts'
import { holds, reachesAll } from './cases.ts'
import { columnsOf, keysOf } from './columns.ts'
import type { SentEvent } from './event-history.ts'
import { type Filter, readSourcesBy } from './filter-oracle.ts'
import type { Asked, AskedHistory } from './made-up-questions.ts'
import { inSomeZone } from './moved-history.ts'
import { RareStates } from './rare-states.ts'
import { tell } from './telling.ts'

/** Some of the texts that made-up histories have for start parameters match, most of them in part. */
const RULES = [
  { pattern: 'a_{content}', set: { source: 'letters' } },
  { pattern: '{source}_{campaign}' },
  { pattern: '5{medium}', set: { source: '5', referrer: '(none)' } },
  { pattern: '{campaign}.{referrer}' },
  { pattern: 'é{content}?', set: { medium: 'long' } },
]

/** Events as several objects of an application have them, each those of its own users. */
function partsOf(events: readonly SentEvent[], parts: number, timeZone: string): Columns[] {
  const keys = keysOf(events)
  return Array.from({ length: parts }, (_, part) => {
    const own = events.filter(({ telegram_id }) => telegram_id % parts === part)
    return columnsOf(own, { keys, timeZone })
  })
}

export function runToEnd<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** The objects of an application, without a Worker around them. */
export interface Objects extends Asking {
  readonly timeZone: string
  /** The headers of the last answer to `askAt`. */
  readonly headers: ReadonlyMap<string, string>
  /** What a question answers at a path, as over HTTP. */
  askAt(route: QuestionOperation<never>, path: string, now?: number): Promise<unknown>
}

export function objectsOf(
  events: readonly SentEvent[],
  objects: number,
  bounds: Partial<Bounds> = {},
  timeZone = 'UTC',
  cohorts: NonNullable<Question['cohorts']> = [],
): Objects {
  readSourcesBy(RULES)
  const parts = partsOf(events, objects, timeZone)
  const headers = new Map<string, string>()
  const partOf = (index: number, { report, query }: Pick<Question, 'report' | 'query'>) =>
    // As it travels.
    structuredClone(
      runToEnd(
        answerReport(
          REPORTS.get(report) as AnyReport,
          parts[index] as Columns,
          { query: withRules(query, JSON.stringify(RULES)), cohorts },
          { ...BOUNDS, ...bounds },
        ),
      ),
    )
  const namespace = {
    getByName: (name: string) => ({
      ask: async (key: { part: number }, question: Question) => {
        return { kind: 'answer', part: partOf(key.part, question), asOf: 0, since: null, name }
      },
    }),
  }
  return {
    objects,
    timeZone,
    headers,
    ask: async (report, query) =>
      report.result(
        parts.map((_, index) => partOf(index, { report: report.name, query }) as never),
        query,
      ),
    askAt: (route, path, now = Date.now()) => {
      headers.clear()
      const params = new URLSearchParams(path.slice(path.indexOf('?') + 1))
      const query = toQueryParams([...new Set(params.keys())].map((name) => [name, params.getAll(name)]))
      return route.ask({ query }, {
        access: { application: { id: 1, objects, timeZone, sources: RULES }, keyHash: 'somebody' },
        env: { APPLICATIONS: namespace },
        now,
        elapsed: () => 0,
        setHeader: (name: string, value: string) => headers.set(name, value),
        warn: () => undefined,
      } as unknown as Parameters<typeof route.ask>[1])
    },
  }
}

/** So little that nearly every question takes several passes, and several answers. */
const NARROW: Partial<Bounds> = {
  dictionary: { groups: 2, characters: 20 },
  answerCharacters: 60,
  pairs: 4,
  pairBits: 100,
  pathBits: 1_000,
  gaps: 1,
  values: 1,
  entries: 1,
  slice: 1,
}

export const OBJECTS: readonly (readonly [title: string, objects: number, bounds: Partial<Bounds>])[] = [
  ['one object', 1, {}],
  ['one object with little room', 1, NARROW],
  ['two objects', 2, {}],
  ['four objects with little room', 4, NARROW],
]

/** The last of these. */
export const LAST = OBJECTS.at(-1)?.[0]

interface Comparison<Question> {
  readonly cases: fc.Arbitrary<AskedHistory<Question>>
  readonly answer: (objects: Objects, asked: Asked<Question>) => Promise<unknown>
  /** A question that is an object says its time zone. */
  readonly expected: (events: readonly SentEvent[], question: Question, timeZone: string) => unknown
  /** What some of the cases must be like. */
  readonly states?: readonly CaseState[]
  readonly atLeast?: number
  readonly atMost?: number
}

/** A test: what objects answer is what looking at every event finds, in random histories and time zones. */
export function answersAsOracle<Question>(comparison: Comparison<Question>): void {
  const { cases, answer, expected, states = [], atLeast = 10, atMost = 500 } = comparison
  const rare = new RareStates(states)
  it.each(OBJECTS)('answers from %s as looking at every event does', async (title, count, bounds) => {
    await holds(
      fc.asyncProperty(cases.chain(inSomeZone), async ({ history: { events }, asked, timeZone }) => {
        const objects = objectsOf(events, count, bounds, timeZone)
        noteStates(rare, { events, questions: asked.map(({ question }) => question as object), timeZone })
        for (const one of asked) {
          const told = `${timeZone}: ${tell(events, one.question, one.path)}`
          const zoned = typeof one.question === 'object' ? { ...one.question, timeZone } : one.question
          expect(await answer(objects, one), told).toEqual(expected(events, zoned, timeZone))
        }
      }),
      // The last of these tests goes on until it reached what none of them has.
      { atLeast, atMost, ...(title === LAST && { states: rare }), endOnFailure: true },
    )
  })
  if (states.length > 0) reachesAll(rare)
}

/** Notes the states of a case that never occurred before. */
export function noteStates(states: RareStates<CaseState>, one: Case): void {
  for (const state of states.missing) states.seen(state, CASE_STATES[state](one))
}

/** What a question means, as queries say it. */
export function meantBy({ filters, groupBy }: { filters: readonly Filter[]; groupBy: readonly string[] }) {
  readSourcesBy(RULES)
  const meant = {
    filters: filters.map(({ prop, op, values }) => ({
      property: toProperty(prop),
      operator: op,
      values: values.map(String),
    })),
    groupBy: groupBy.map(toProperty),
  }
  return withRules(meant, JSON.stringify(RULES))
}

function toProperty(name: string): EventProperty {
  const property = parseProperty(name)
  if (!property) throw new Error(`no property is called ${name}`)
  return property
}
