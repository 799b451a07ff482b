import { type SourceRule, sourceReader } from '../../base/sources.ts'
import { compareTexts } from '../../base/text/order.ts'
import type { Columns } from '../../columns/columns.ts'
import { createListCollector, type ListQuery, type ListRanking, listReport, type OrTooMany } from '../engine/lists.ts'
import { BOUNDS } from '../engine/report.ts'
import { count, list, record, same, type TotalOf } from '../engine/totals.ts'
import { MAX_EXAMPLES } from './contract.ts'

/** A question about what rules would match among users whose first event is at or after a moment. */
export interface SourcePreviewQuery extends ListQuery {
  readonly rules: readonly SourceRule[]
  /** The moment, in milliseconds since 1970 UTC. */
  readonly since: number
}

const ruleUsers = record({
  users: count,
  /** In order. */
  examples: (a: readonly string[], b: readonly string[]) => firstOf([...a, ...b]),
})

const parameterUsers = record({ startParameter: same<string>(), users: count })

type ParameterUsers = TotalOf<typeof parameterUsers>

export interface SourcePreview {
  readonly users: number
  readonly acquired: number
  /** In the order of the rules. */
  readonly rules: readonly TotalOf<typeof ruleUsers>[]
  readonly unmatched: readonly ParameterUsers[]
  readonly totalUnmatched: number
}

const RANKING: ListRanking<ParameterUsers> = {
  nameOf: ({ startParameter }) => startParameter,
  figureOf: ({ users }) => users,
  add: parameterUsers,
}

export const sourcePreviewReport = {
  ...listReport<SourcePreviewQuery, SourcePreview, 'unmatched', 'totalUnmatched', ParameterUsers>({
    name: 'source preview',
    isLarge: () => true,
    list: 'unmatched',
    total: 'totalUnmatched',
    ranking: RANKING,
    part: previewSources,
    others: record({ users: count, acquired: count, rules: list(ruleUsers) }),
  }),
  needsFirstTouches: true,
}

function firstOf(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort(compareTexts).slice(0, MAX_EXAMPLES)
}

/** The number of texts read between two yields. */
const TEXTS_A_STEP = 4_096

function* previewSources(
  columns: Columns,
  query: SourcePreviewQuery,
  { answerCharacters } = BOUNDS,
): Generator<void, OrTooMany<SourcePreview, 'unmatched'>> {
  const { usersOf, users, acquired } = countUsers(columns, query.since)
  const read = sourceReader(query.rules)
  const rules = query.rules.map((): { users: number; examples: string[] } => ({ users: 0, examples: [] }))
  const unmatched = createListCollector(query, RANKING, answerCharacters)
  const values = columns.contextValues('startParameter')
  for (let code = 0; code < values.count; code += TEXTS_A_STEP) {
    for (const [own, startParameter] of values.entries(code, TEXTS_A_STEP)) {
      const found = usersOf[own] as number
      if (found === 0) continue
      const rule = rules[read(startParameter).rule]
      if (rule) {
        rule.users += found
        rule.examples = firstOf([...rule.examples, startParameter])
      } else unmatched.take(found, () => ({ startParameter, users: found }))
    }
    yield
  }
  return { users, acquired, rules, unmatched: unmatched.items(), totalUnmatched: unmatched.total() }
}

/** Counts users by the code of the start parameter that acquired them. */
function countUsers(columns: Columns, since: number) {
  const { times, acquired: contexts } = columns.firstTouches
  const codes = columns.contextCodes('startParameter')
  const usersOf = new Uint32Array(columns.contextValues('startParameter').count + 1)
  let [users, acquired] = [0, 0]
  for (let user = 0; user < times.length; user++) {
    if (!((times[user] as number) >= since && (times[user] as number) < Number.POSITIVE_INFINITY)) continue
    users += 1
    const context = contexts[user] as number
    if (context === 0) continue
    acquired += 1
    const code = codes[context - 1] as number
    usersOf[code] = (usersOf[code] as number) + 1
  }
  return { usersOf, users, acquired }
}
