import { DAY_MS, type SentEvent } from './event-history.ts'
import { compareTexts, groupOf, inOrderOfTime, noteHistory, passes } from './filter-oracle.ts'
import { answerRetention, combinedRows, hasCompleteRow } from './retention-oracle.ts'
import { answerCurrencies, chargesOf, dividedBy, netOf, type RevenueQuestion, toNumber } from './revenue-oracle.ts'
import { dateOf, groupFields, type Interval, nextFirstDay } from './series-oracle.ts'
import { dayIn, localMidnight } from './zones.ts'

/** Lifetime value as docs/rules.md (25) has it, looked up user by user. Cohorts are those of the oracle of retention. */

export interface LtvQuestion extends RevenueQuestion {
  readonly interval: Exclude<Interval, 'hour'>
  /** When it is asked. */
  readonly today: number
}

export function answerLtv(history: readonly SentEvent[], question: LtvQuestion) {
  noteHistory(history)
  const { rules, filters, groupBy, interval, today, from, to, timeZone } = question
  const zone = timeZone ? { timeZone } : {}
  const any = { startEvent: '_active', returnEvent: '_active', mode: 'n' as const, filters: [], groupBy: [] }
  const retention = answerRetention(history, { ...any, from, to, interval, today, ...zone })
  const begins = Object.keys(retention.data[0]?.cohorts ?? {}).map((date) => Date.parse(date) / DAY_MS)
  const ends = begins.map((begin, index) => begins[index + 1] ?? nextFirstDay(begin, interval))
  const period = begins.length > 0 ? { from: begins[0] as number, to: (ends.at(-1) as number) - 1 } : { from, to }
  const found = answerCurrencies(history, { rules, currency: question.currency, filters: [], ...period, ...zone })
  const firsts = [...Map.groupBy(history, ({ telegram_id }) => telegram_id).values()]
    .map((events) => inOrderOfTime(events)[0] as SentEvent)
    .filter((first) => passes(first, filters) && rowIn({ begins, ends, ...zone }, first.datetime) >= 0)
  const asked = { from, interval, today, mode: 'n' as const }
  const known = { history, rules, currency: found.currency, begins, ends, asked, ...zone }
  const names = groupBy.length > 0 ? [...new Set(firsts.map((first) => groupOf(first, groupBy)[0] as string))] : []
  const groups = names
    .map((name) => {
      const own = firsts.filter((first) => groupOf(first, groupBy)[0] === name)
      return { name, ...matrixOf(own, known) }
    })
    .sort((a, b) => b.totalUsers - a.totalUsers || compareTexts(a.name, b.name))
    .slice(0, 20)
  return { ...matrixOf(firsts, known), ...found, groups, ...groupFields(names, groupBy, false, () => null) }
}

interface Intervals {
  readonly timeZone?: string
  readonly begins: readonly number[]
  readonly ends: readonly number[]
}

function rowIn({ begins, ends, timeZone }: Intervals, time: number): number {
  const day = dayIn(time, timeZone)
  return begins.findIndex((begin, index) => day >= begin && day < (ends[index] as number))
}

interface Known extends Intervals, Pick<LtvQuestion, 'rules'> {
  readonly history: readonly SentEvent[]
  readonly currency: string
  readonly asked: Parameters<typeof combinedRows>[2]
}

function matrixOf(firsts: readonly SentEvent[], known: Known) {
  const { history, rules, currency, begins, ends, asked, timeZone } = known
  const cohorts = begins.map((_, row) => firsts.filter(({ datetime }) => rowIn(known, datetime) === row))
  const chargesUntil = (cohort: readonly SentEvent[], interval: number) => {
    const users = new Set(cohort.map(({ telegram_id }) => telegram_id))
    const end = localMidnight(ends[interval] as number, timeZone)
    const own = history.filter(({ telegram_id, datetime }) => users.has(telegram_id) && datetime < end)
    return chargesOf(own, rules).filter((charge) => charge.currency === currency)
  }
  const cells = cohorts.map((cohort, row) => begins.slice(row).map((_, n) => chargesUntil(cohort, row + n)))
  const payersOf = (charges: ReturnType<typeof chargesUntil>) =>
    new Set(charges.filter(({ isRefund }) => !isRefund).map(({ event }) => event.telegram_id)).size
  return {
    cohorts: Object.fromEntries(begins.map((day, row) => [dateOf(day), cohorts[row]?.length])),
    ltvMatrix: cells.map((row, cohort) =>
      row.map((charges) => fixed(netOf(charges), BigInt(cohorts[cohort]?.length ?? 0) * UNIT, 4)),
    ),
    combinedLtv: begins.map((_, n) => {
      const rows = combinedRows(cohorts, n, asked)
      const users = rows.reduce((sum, row) => sum + (cohorts[row]?.length ?? 0), 0)
      const net = rows.reduce((sum, row) => sum + netOf(cells[row]?.[n] ?? []), 0n)
      return users === 0 ? 0 : toNumber(net, users)
    }),
    combinedComplete: begins.map((_, n) => hasCompleteRow(cohorts, n, asked)),
    payersMatrix: cells.map((row, cohort) =>
      row.map((charges) => fixed(BigInt(100 * payersOf(charges)), BigInt(cohorts[cohort]?.length ?? 0), 2)),
    ),
    totalUsers: firsts.length,
  }
}

const UNIT = 10n ** 40n

/** A quotient with this many decimals, halves rounded away from zero. */
function fixed(part: bigint, whole: bigint, decimals: number): string {
  const units = whole === 0n ? 0n : dividedBy(part * 10n ** BigInt(decimals), whole)
  const text = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  return `${units < 0n ? '-' : ''}${text.slice(0, -decimals)}.${text.slice(-decimals)}`
}
