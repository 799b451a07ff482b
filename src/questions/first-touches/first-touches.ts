import { type PropertyName, propertyOf } from '../../base/event.ts'
import { SOURCE_PARTS, type SourcePart, type SourceRule, sourceReader } from '../../base/sources.ts'
import type { Columns } from '../../columns/columns.ts'
import { isAcquired, type Remembered } from '../../columns/remembered.ts'
import { CONTEXT_FIELDS, NONE } from '../../columns/selection/filter.ts'
import { textReader } from '../../columns/selection/texts.ts'
import type { Report } from '../engine/report.ts'

/** A question for the first touches of users, by messenger id. */
interface FirstTouchesQuery {
  readonly telegramIds: readonly number[]
}

/** The context of a user's first event, and what acquired the user. Times are milliseconds since 1970 UTC. */
export interface FirstTouch {
  readonly telegramId: number
  readonly time: number
  /** One text for each of `CONTEXT_FIELDS`; null if it is missing. */
  readonly texts: readonly (string | null)[]
  readonly acquired: { readonly time: number; readonly startParameter: string } | null
}

/** Finds the first touches of those users who have one, in no particular order. */
export const firstTouchesReport: Report<FirstTouchesQuery, readonly FirstTouch[], readonly FirstTouch[]> = {
  name: 'first touches',
  needsFirstTouches: true,
  part: findFirstTouches,
  result: (parts) => parts.flat(),
}

/** The context of a user's first event, by the names that filters use. */
export function contextAtFirst({ texts }: FirstTouch): Record<string, string | boolean> {
  return Object.fromEntries(
    CONTEXT_FIELDS.flatMap(({ name, field }, index) => {
      const text = texts[index] ?? null
      if (text === null) return []
      return [[field, propertyOf(name).type === 'flag' ? text === 'true' : text] as const]
    }),
  )
}

/** The parts of the source in a start parameter; null for parts that it lacks, or that a rule sets to none. */
export function partsOfSource(startParameter: string | null, rules: readonly SourceRule[]) {
  const values = startParameter === null ? {} : sourceReader(rules)(startParameter).values
  return Object.fromEntries(
    SOURCE_PARTS.map((part) => [part, values[part] === NONE ? null : (values[part] ?? null)]),
  ) as Record<SourcePart, string | null>
}

function* findFirstTouches(columns: Columns, { telegramIds }: FirstTouchesQuery): Generator<void, FirstTouch[]> {
  const known = findTouches(columns, telegramIds)
  const firsts = known.map(({ touch }) => touch.context - 1)
  const texts = firsts.map((): (string | null)[] => [])
  for (const { name } of CONTEXT_FIELDS) {
    for (const [index, text] of textsAt(columns, name, firsts).entries()) texts[index]?.push(text)
    yield
  }
  const starts = textsAt(
    columns,
    'startParameter',
    known.map(({ touch }) => (isAcquired(touch) ? touch.startContext - 1 : -1)),
  )
  return known.map(({ telegramId, touch: { time, startTime } }, index) => {
    const startParameter = starts[index] ?? null
    const acquired = startParameter === null ? null : { time: startTime, startParameter }
    return { telegramId, time, texts: texts[index] ?? [], acquired }
  })
}

/** First touches of stored events and, while old ones are being deleted, of what is already remembered. */
function findTouches(columns: Columns, telegramIds: readonly number[]) {
  const { times, contexts, acquired, acquiredTimes } = columns.firstTouches
  const rememberedOf = columns.firstTouches.goneReader()
  const touchOf = (user: number): Remembered | null => {
    if ((contexts[user] ?? 0) === 0) return rememberedOf(user)
    const [startTime, startContext] = [acquiredTimes[user] as number, acquired[user] as number]
    return { time: times[user] as number, context: contexts[user] as number, startTime, startContext }
  }
  return telegramIds.flatMap((telegramId) => {
    const user = columns.userOf(telegramId)
    const touch = user === null ? null : touchOf(user)
    return touch ? [{ telegramId, touch }] : []
  })
}

/** Reads one property's texts of contexts; null if there is none. Each text is read once. */
function textsAt(columns: Columns, name: PropertyName, contexts: readonly number[]): (string | null)[] {
  const codes = columns.contextCodes(name)
  const read = textReader(columns.contextValues(name))
  const own = contexts.map((context) => (context < 0 ? 0 : (codes[context] as number)))
  const texts = new Map<number, string | null>([[0, null]])
  for (const code of [...new Set(own)].sort((a, b) => a - b)) if (code > 0) texts.set(code, read(code))
  return own.map((code) => texts.get(code) ?? null)
}
