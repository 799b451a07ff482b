import { Invalid } from '../base/errors.ts'
import { toDate } from '../base/time/days.ts'
import type { Period } from '../base/time/period.ts'
import { getAcquisitionRoute } from '../questions/acquisition/routes.ts'
import { maskOfAnswer } from '../questions/filters/masking.ts'
import { analyzeRetentionRoute } from '../questions/retention/routes.ts'
import { getRevenueRoute } from '../questions/revenue/routes.ts'
import { averageSessionsRoute } from '../questions/sessions/routes.ts'
import { analyzeTrendsRoute } from '../questions/trends/routes.ts'
import { getUserActivityRoute } from '../questions/user-activity/routes.ts'
import type { MessageContent } from '../storage/subscription.ts'
import { type Asked, findSaved } from './asking.ts'
import type { DigestPeriod } from './digest-period.ts'
import { askSeries, askSteps, hasSteps, type SavedSeries, toQueryPeriod, toSavedAddress } from './saved-series.ts'
import { toChange, toNumber, trendLine } from './words.ts'

const SOURCES = 3
const CURRENCIES = 3
const WEEK_DAYS = 7
/** The days of the line of active users; of a weekly digest, its weeks. */
export const LINE_DAYS = 14
export const LINE_WEEKS = 8

/** A line of a digest, and its figures for webhooks. */
interface Part {
  readonly lines: readonly string[]
  readonly data: Readonly<Record<string, unknown>>
}

const NOTHING: Part = { lines: [], data: {} }

/** What a digest says about these days and these saved reports. Throws what the questions throw. */
export async function composeDigest(
  period: DigestPeriod,
  questions: readonly string[],
  asked: Asked,
): Promise<MessageContent> {
  const { name, handle } = asked.application
  const data = { every: period.kind, start: toDate(period.period.from), end: toDate(period.period.to) }
  const title = `${name}: ${period.when}`
  const path = `/dashboard/${handle}`
  const users = await usersPart(period, asked)
  if (!users) return { text: `${title}. No events.`, path, data: { ...data, active_users: 0 } }
  const [figures, reports] = await Promise.all([
    Promise.all(PARTS.map((part) => part(period, asked))),
    Promise.all(questions.map((question) => questionPart(question, period, asked))),
  ])
  const named = reports.map(({ data: question }) => question)
  return {
    text: [title, '', ...[users, ...figures, ...reports].flatMap(({ lines }) => lines)].join('\n'),
    path,
    data: Object.assign(
      data,
      users.data,
      ...figures.map((part) => part.data),
      named.length > 0 && { questions: named },
    ),
  }
}

/** What a digest says about users who were active, in this order. */
const PARTS = [linePart, sourcesPart, retentionPart, sessionsPart, revenuePart]

/** Null without an event. */
async function usersPart({ period, before, whenBefore }: DigestPeriod, { context }: Asked): Promise<Part | null> {
  const ask = (asked: Period) => getUserActivityRoute.ask({ query: toQueryPeriod(asked) }, context)
  const [now, then] = await Promise.all([ask(period), ask(before)])
  const totalOf = ({ yValues }: typeof now, series: string) =>
    yValues.find(({ name }) => name === series)?.key_value ?? 0
  const [active, activeBefore] = [totalOf(now, 'dau'), totalOf(then, 'dau')]
  const [fresh, freshBefore] = [totalOf(now, 'new'), totalOf(then, 'new')]
  if (active === 0) return null
  return {
    lines: [
      `Active users: ${toNumber(active)}, ${toChange(active, activeBefore, whenBefore)}`,
      `New users: ${toNumber(fresh)}, ${toChange(fresh, freshBefore, whenBefore)}`,
    ],
    data: { active_users: active, active_users_before: activeBefore, new_users: fresh, new_users_before: freshBefore },
  }
}

/** Active users of the last days or weeks as block characters. */
async function linePart({ kind, period: { to } }: DigestPeriod, { context }: Asked): Promise<Part> {
  const data =
    kind === 'weekly'
      ? (await analyzeTrendsRoute.ask({ query: weeksQuery(to) }, context)).yValues[0]?.data
      : (await getUserActivityRoute.ask({ query: toQueryPeriod({ from: to - LINE_DAYS + 1, to }) }, context)).yValues[0]
          ?.data
  const words = kind === 'weekly' ? `${LINE_WEEKS} weeks` : `${LINE_DAYS} days`
  return { lines: [`${trendLine(data ?? [])} active users, ${words}`], data: {} }
}

function weeksQuery(to: number) {
  const period = { from: to - LINE_WEEKS * WEEK_DAYS + 1, to }
  return { ...toQueryPeriod(period), series: '[{"event": "_active"}]', interval: 'week' }
}

async function sourcesPart({ period }: DigestPeriod, { context }: Asked): Promise<Part> {
  const query = { ...toQueryPeriod(period), by: 'source', limit: String(SOURCES) }
  const { data } = await getAcquisitionRoute.ask({ query }, context)
  if (data.length === 0) return NOTHING
  const mask = maskOfAnswer()
  const sources = data.map(({ name, users }) => ({ name: mask(name), users }))
  const named = sources.map(({ name, users }) => `${name} ${toNumber(users)}`)
  return { lines: [`New users by source: ${named.join(', ')}`], data: { sources } }
}

/** Reports how many of the new users of the day or week before came back. */
async function retentionPart({ kind, period }: DigestPeriod, { context }: Asked): Promise<Part> {
  const from = kind === 'weekly' ? period.from - WEEK_DAYS : period.from - 1
  const query = { ...toQueryPeriod({ from, to: period.to }), interval: kind === 'weekly' ? 'week' : 'day' }
  const { data } = await analyzeRetentionRoute.ask({ query }, context)
  const { cohorts, retentionMatrix } = data[0] ?? { cohorts: {}, retentionMatrix: [] }
  const [users = 0] = Object.values(cohorts)
  const percent = retentionMatrix[0]?.[1]
  if (users === 0 || percent === undefined) return NOTHING
  const [name, whose] = kind === 'weekly' ? ['Week 1', 'the week before'] : ['Day 1', 'the day before']
  return {
    lines: [`${name} retention: ${toNumber(Number(percent))}% of ${toNumber(users)} new users of ${whose}`],
    data: { retention: Number(percent), retention_users: users },
  }
}

async function sessionsPart({ period, before, whenBefore }: DigestPeriod, { context }: Asked): Promise<Part> {
  const ask = async (asked: Period) => {
    const { yValues } = await averageSessionsRoute.ask({ query: toQueryPeriod(asked) }, context)
    return yValues.find(({ name }) => name === 'sessions')?.key_value ?? 0
  }
  const [sessions, sessionsBefore] = await Promise.all([ask(period), ask(before)])
  return {
    lines: [`Sessions: ${toNumber(sessions)}, ${toChange(sessions, sessionsBefore, whenBefore)}`],
    data: { sessions, sessions_before: sessionsBefore },
  }
}

/** Currencies are never added together. */
async function revenuePart({ period }: DigestPeriod, { context }: Asked): Promise<Part> {
  const { currencies } = await getRevenueRoute.ask({ query: toQueryPeriod(period) }, context)
  const earned = currencies.filter(({ net }) => net !== 0).slice(0, CURRENCIES)
  if (earned.length === 0) return NOTHING
  return {
    lines: [`Net revenue: ${earned.map(({ net, currency }) => `${toNumber(net)} ${currency}`).join(', ')}`],
    data: { net_revenue: earned.map(({ currency, net }) => ({ currency, net })) },
  }
}

/** A saved report that was deleted or cannot be answered any more says so, and leaves the rest of the digest as it is. */
async function questionPart(name: string, { period, when }: DigestPeriod, asked: Asked): Promise<Part> {
  const found = await findSaved(asked, name)
  if (found === null) return { lines: [`${name}: deleted`], data: { name } }
  const address = toSavedAddress(found)
  try {
    return hasSteps(address) ? await stepsPart() : await seriesPart()
  } catch (error) {
    if (error instanceof Invalid) return { lines: [`${name}: cannot be answered any more`], data: { name } }
    throw error
  }

  async function stepsPart(): Promise<Part> {
    const steps = await askSteps(address, { period, context: asked.context })
    const [first, last] = [steps[0], steps.at(-1)]
    const [entered, completed, conversion] = [first?.users ?? 0, last?.users ?? 0, last?.conversion_from_start ?? 0]
    return {
      lines: [`${name}: ${toNumber(conversion)}% of ${toNumber(entered)} users, ${when}`],
      data: { name, entered, completed, conversion },
    }
  }

  async function seriesPart(): Promise<Part> {
    const series = await askSeries(address, asked)
    return { lines: [`${name}: ${describeSeries(series)}`], data: { name, value: series.last, before: series.before } }
  }
}

/** `12.5% on Sunday 22 November, up 3% from 12.1 the Sunday before ▂▃▅█`. */
export function describeSeries({ last, before, unit, values, when, whenBefore }: SavedSeries): string {
  const figure = last === null ? 'no figure' : withUnit(last, unit)
  const change = last === null || before === null ? '' : `, ${toChange(last, before, whenBefore)}`
  return `${figure} ${when}${change} ${trendLine(values)}`
}

/** `12.5%`, `300 XTR`, `7`. */
function withUnit(value: number, unit: string): string {
  return unit === '%' ? `${toNumber(value)}%` : [toNumber(value), unit].filter(Boolean).join(' ')
}
