import { MAX_GROUPS } from '../../../columns/selection/filter.ts'
import type { QueryParams } from '../../../http/params.ts'
import { type FunnelConversionTime, type FunnelStep, STEPS } from '../../../questions/funnels/contract.ts'
import { analyzeFunnelRoute } from '../../../questions/funnels/routes.ts'
import { funnelQuery, namesIn } from '../../../questions/funnels/saved.ts'
import { askBefore } from '../../figures/comparison.ts'
import { COUNT, PERCENT, SECONDS } from '../../figures/declared.ts'
import { commonQuery, type View } from '../../request/address.ts'
import type { AnswerTo, ApplicationRequest } from '../../request/application-request.ts'
import { type PageQuestion, pageQuestion } from '../../request/page-question.ts'
import { type Attempt, attempt } from '../../request/problem.tsx'
import type { CardUsers } from '../face.ts'

export const ORDERS = [
  { order: 'ordered', label: 'Sequential', hint: 'Other events may happen in between.', inWords: 'in sequence' },
  {
    order: 'strict',
    label: 'Strict order',
    hint: 'No other event of the user may happen in between.',
    inWords: 'in strict order',
  },
  {
    order: 'any',
    label: 'Any order',
    hint: 'Counts how many of the events a user did, in any order.',
    inWords: 'in any order',
  },
] as const

export type FunnelAnswer = AnswerTo<typeof analyzeFunnelRoute>

/** A funnel of all users, or of a group. */
export interface ShownFunnel {
  readonly name: string
  readonly steps: readonly FunnelStep[]
  readonly time: FunnelConversionTime
  /** The change of the users of the last step, in whole percent. */
  readonly change: number
  /** Whether nobody reached the last step in the previous period. */
  readonly isNew: boolean
}

const FIGURES = [
  {
    label: 'Conversion',
    hint: 'Percentage of users of the first step who reach the last one',
    unit: PERCENT,
    isPoints: true,
  },
  { label: 'Entered', hint: 'Users of the first step', unit: COUNT },
  { label: 'Converted', hint: 'Users of the last step', unit: COUNT },
  { label: 'Median time to convert', hint: 'From the first step to the last, of users who converted', unit: SECONDS },
] as const

/** What is said of a whole funnel. */
export function headlinesOf(funnel: ShownFunnel, usersHref: CardUsers) {
  const values = [
    { value: percentOf(funnel) },
    { value: usersOf(funnel, 0), users: usersHref({ step: 1 }) },
    { value: usersOf(funnel, -1), users: usersHref({ step: funnel.steps.length }) },
    { value: funnel.time.median_seconds },
  ]
  return FIGURES.map((figure, place) => ({ ...figure, value: null, ...values[place] }))
}

export function usersOf({ steps }: ShownFunnel, place: number): number {
  return steps.at(place)?.users ?? 0
}

export function percentOf(funnel: ShownFunnel): number {
  const entered = usersOf(funnel, 0)
  return entered === 0 ? 0 : (usersOf(funnel, -1) / entered) * 100
}

export interface FunnelFigures {
  readonly labels: readonly string[]
  readonly all: ShownFunnel
  readonly isComparable: boolean
  /** Null without a previous period, or if it could not be counted. */
  readonly before: ShownFunnel | null
  /** Empty without a breakdown. */
  readonly groups: readonly ShownFunnel[]
  /** How many groups there are, with those that the answer does not list. */
  readonly groupsTotal: number
}

/** Steps in any order have no names: each is one more of the events. */
export function isAnyOrder({ params }: Pick<View, 'params'>): boolean {
  return params.get('order') === 'any'
}

export async function askForFunnel(request: ApplicationRequest): Promise<Attempt<FunnelFigures>> {
  const { view, context } = request
  const { group_by: groupBy, ...own } = funnelQuery(view)
  const now = commonQuery(view)
  const ask = (query: QueryParams) => analyzeFunnelRoute.ask({ query: { ...query, ...own } }, context)
  const [all, { query: then, before }, groups] = await Promise.all([
    attempt(ask(now)),
    askBefore(request, ask),
    groupBy === undefined ? null : attempt(ask({ ...now, group_by: groupBy })),
  ])
  // The question with groups has all the faults of the other one.
  if (groups?.problem) return groups
  if (all.problem) return all
  const found = groups?.data ?? null
  // A change of 100 percent may be from nothing; only then it is worth while to ask for what was.
  const isUnclear = found?.yValues.some(({ change }) => change === 100) ?? false
  const groupsBefore = isUnclear && then && groupBy ? (await attempt(ask({ ...then, group_by: groupBy }))).data : null
  return {
    problem: null,
    data: {
      labels: all.data.xValues.data,
      all: funnelsOf(all.data, before)[0] as ShownFunnel,
      isComparable: then !== null,
      before: before && (funnelsOf(before)[0] as ShownFunnel),
      groups: found ? funnelsOf(found, groupsBefore) : [],
      groupsTotal: found?.groups_total ?? 0,
    },
  }
}

/** The parameter of the page where a new funnel is built. */
export const NEW_FUNNEL = 'new'

/** With its groups; an address with too few steps asks nothing. */
export const funnel: PageQuestion<typeof analyzeFunnelRoute> = {
  ...pageQuestion(analyzeFunnelRoute),
  query: (view) => (namesIn(view, 'events').length < STEPS.min ? null : { ...commonQuery(view), ...funnelQuery(view) }),
}

/** The steps of an answer go group by group, as its series do. */
export function funnelsOf(
  { xValues, yValues, steps, conversion_times: times }: FunnelAnswer,
  before: FunnelAnswer | null = null,
): ShownFunnel[] {
  const { length } = xValues.data
  const then = new Map(before?.yValues.map((one) => [one.name, one.key_value]))
  const isAllBefore = before !== null && before.yValues.length < MAX_GROUPS
  return yValues.map(({ name, change }, place) => ({
    name,
    change,
    steps: steps.slice(place * length, (place + 1) * length),
    time: times[place] as FunnelConversionTime,
    isNew: change === 100 && isAllBefore && (then.get(name) ?? 0) === 0,
  }))
}
