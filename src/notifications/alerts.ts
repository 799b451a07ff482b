import { hashSecret } from '../access/secrets.ts'
import { QUOTA_WORDS } from '../accounts/quotas/quota.ts'
import { toIso, utcDayOf } from '../base/time/days.ts'
import { changePercent } from '../questions/engine/change.ts'
import { listEventNamesRoute } from '../questions/event-names/routes.ts'
import { listLatestEventsRoute } from '../questions/latest-events/routes.ts'
import { mainObject } from '../storage/application-objects.ts'
import type { AlertRule, AlertState, MessageContent, SeriesRule } from '../storage/subscription.ts'
import { type Asked, findSaved } from './asking.ts'
import { describeSeries } from './digest.ts'
import { askSeries, hasSeries, toQueryPeriod, toSavedAddress } from './saved-series.ts'
import { toNumber } from './words.ts'

/** What an alert sees when it is checked. */
export interface Finding {
  readonly isActive: boolean
  /** What `names` of its state is from now on. */
  readonly names: readonly string[] | null
  /** Whether something is told although the alert neither starts nor ends. */
  readonly isNoticed: boolean
  readonly text: string
  readonly data: MessageContent['data']
  /** Behind the pages of the application. */
  readonly page: string
}

/** Why an alert cannot be checked, for people. */
export class Unchecked extends Error {}

interface Checked {
  readonly state: AlertState
  readonly createdAt: number
}

const NOTHING_NEW = { names: null, isNoticed: false }

/** Null if it cannot be said now. Throws `Unchecked`, and what the questions throw. */
export async function check(rule: AlertRule, checked: Checked, asked: Asked): Promise<Finding | null> {
  if (rule.type === 'silent') return checkSilence(rule, checked, asked)
  if (rule.type === 'new_event_name') return checkNames(checked, asked)
  if (rule.type === 'quota') return checkQuotas(asked)
  return checkSeries(rule, asked)
}

async function checkSeries(rule: SeriesRule, asked: Asked): Promise<Finding | null> {
  const found = await findSaved(asked, rule.question)
  if (found === null) throw new Unchecked(`The saved report “${rule.question}” was deleted.`)
  const address = toSavedAddress(found)
  if (!hasSeries(address))
    throw new Unchecked(`The saved report “${rule.question}” has no figure for each day any more.`)
  const series = await askSeries(address, asked)
  const { last, before } = series
  if (last === null || (rule.type === 'changes_by' && before === null)) return null
  const isActive =
    rule.type === 'changes_by'
      ? Math.abs(changePercent(last, before ?? 0)) >= rule.percent
      : rule.type === 'above'
        ? last > rule.value
        : last < rule.value
  const condition =
    rule.type === 'changes_by' ? `changed by ${rule.percent}% or more` : `is ${rule.type} ${toNumber(rule.value)}`
  const negated =
    rule.type === 'changes_by'
      ? `changed by less than ${rule.percent}%`
      : `is not ${rule.type} ${toNumber(rule.value)} any more`
  return {
    ...NOTHING_NEW,
    isActive,
    text: `${rule.question} ${isActive ? condition : negated}: ${describeSeries(series)}`,
    data: { question: rule.question, value: last, before },
    page: found,
  }
}

const MS_PER_MINUTE = 60_000

async function checkSilence(
  { minutes, event }: Extract<AlertRule, { type: 'silent' }>,
  { createdAt }: Checked,
  { context }: Asked,
): Promise<Finding> {
  const query = { limit: '1', ...(event !== undefined && { event }) }
  const { data } = await listLatestEventsRoute.ask({ query }, context)
  const latest = data[0] ? Date.parse(data[0].time) : null
  const what = event === undefined ? 'event' : `“${event}”`
  const since = latest === null ? 'There was none yet.' : `The last one was at ${clockTime(latest)}.`
  const isActive = context.now - Math.max(latest ?? 0, createdAt) >= minutes * MS_PER_MINUTE
  return {
    ...NOTHING_NEW,
    isActive,
    text: isActive
      ? `No ${what} for ${minutes} minutes. ${since}`
      : `Events arrive again: the last ${what} was at ${clockTime(latest ?? 0)}.`,
    data: { event: event ?? null, minutes, last_event_at: latest === null ? null : toIso(latest) },
    page: 'events',
  }
}

/** `2026-11-22 08:15 UTC`. */
function clockTime(time: number): string {
  return `${toIso(time).slice(0, 16).replace('T', ' ')} UTC`
}

const FRESH_DAYS = 2
const NAMES_AT_ONCE = 1_000
const MAX_NAMES = 10_000
const SHOWN_NAMES = 10
const MARK_CHARACTERS = 12

/** A name is new if its first event ever is at most two days old. The first check only learns which ones are. */
async function checkNames({ state }: Checked, asked: Asked): Promise<Finding | null> {
  const fresh = new Map((await freshNames(asked)).map((name) => [markOf(name), name]))
  const known = new Set(state.names)
  const added = state.names === null ? [] : [...fresh].filter(([mark]) => !known.has(mark)).map(([, name]) => name)
  const shown = added.slice(0, SHOWN_NAMES)
  const more = added.length > shown.length ? [`and ${added.length - shown.length} more`] : []
  return {
    isActive: false,
    names: [...fresh.keys()],
    isNoticed: added.length > 0,
    text: `New event names: ${[...shown, ...more].join(', ')}`,
    data: { names: shown, total: added.length },
    page: 'events',
  }
}

async function freshNames({ context, calendar }: Asked): Promise<string[]> {
  const today = calendar.dayOf(context.now)
  const period = toQueryPeriod({ from: today - FRESH_DAYS, to: today })
  const since = toIso(calendar.startOf(today - FRESH_DAYS))
  const names: string[] = []
  for (let offset = 0; offset < MAX_NAMES; offset += NAMES_AT_ONCE) {
    const query = { ...period, limit: String(NAMES_AT_ONCE), offset: String(offset) }
    const { data, total } = await listEventNamesRoute.ask({ query }, context)
    names.push(...data.filter((one) => one.first_seen_at >= since).map(({ name }) => name))
    if (offset + NAMES_AT_ONCE >= total) break
  }
  return names.sort()
}

/** Names may be long, and many. */
function markOf(name: string): string {
  return hashSecret(name).slice(0, MARK_CHARACTERS)
}

/** The percentage of a daily quota that an alert tells of. */
export const QUOTA_PERCENT = 80

async function checkQuotas({ application, context }: Asked): Promise<Finding> {
  const day = utcDayOf(context.now)
  const used = await mainObject(application.id, context.env.APPLICATIONS).quotasUsed(day, QUOTA_PERCENT)
  const words = used.map((name) => QUOTA_WORDS[name])
  return {
    ...NOTHING_NEW,
    isActive: used.length > 0,
    text:
      used.length > 0
        ? `${QUOTA_PERCENT}% of today's quota of ${words.join(' and of ')} are used.`
        : 'A new day: no quota is nearly used up any more.',
    data: { quotas: used },
    page: 'settings',
  }
}
