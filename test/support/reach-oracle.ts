import type { SentEvent } from './event-history.ts'
import { compareTexts, inOrderOfTime, noteHistory, readProperty, textOf } from './filter-oracle.ts'
import {
  answerFields,
  changeOf,
  dateOf,
  daysOf,
  groupFields,
  isIn,
  labelSeries,
  numberSeries,
  type Period,
  precedingPeriod,
} from './series-oracle.ts'
import { dayIn } from './zones.ts'

/** The reach of a bot as docs/rules.md (32) has it, event by event of each user. Shares no code with the service. */

export interface ReachQuestion extends Period {
  readonly by: string | null
}

interface Turn {
  readonly datetime: number
  readonly isGain: boolean
}

interface Reached {
  readonly name: string
  readonly turns: readonly Turn[]
}

export function answerReach(history: readonly SentEvent[], { by, ...period }: ReachQuestion) {
  noteHistory(history)
  const users = [...Map.groupBy(history, ({ telegram_id }) => telegram_id).values()].map((own): Reached => {
    const events = inOrderOfTime(own)
    const name = by === null ? '' : (textOf(readProperty(events[0] as SentEvent, by)) ?? '(none)')
    return { name, turns: turnsOf(events) }
  })
  const isBy = ({ datetime }: Turn) => dayIn(datetime, period.timeZone) <= period.to
  const reached = users.filter(({ turns }) => turns.some(isBy))
  const groups = [...Map.groupBy(reached, ({ name }) => name)].sort(
    ([a, own], [b, others]) => others.length - own.length || compareTexts(a, b),
  )
  return {
    xValues: labelSeries('date', daysOf(period).map(dateOf)),
    yValues: seriesOf(users, period),
    groups: by === null ? [] : groups.slice(0, 20).map(([name, own]) => ({ name, yValues: seriesOf(own, period) })),
    ...groupFields(groups, by === null ? [] : [by], false, () => null),
    ...answerFields(period),
  }
}

/** Goes through the user's events one by one; at the same instant, blocks come last. */
function turnsOf(events: readonly SentEvent[]): Turn[] {
  const signs = events
    .flatMap((event) => signOf(event) ?? [])
    .sort((a, b) => a.datetime - b.datetime || +b.isGain - +a.isGain)
  let isReachable = false
  return signs.filter(({ isGain }) => {
    const isTurn = isGain !== isReachable
    isReachable = isGain
    return isTurn
  })
}

function signOf({ event_type, datetime, referrer_type, params }: SentEvent): Turn | null {
  const isPrivate = referrer_type === 'private'
  const status = (params as { new_status?: unknown } | null | undefined)?.new_status
  const isMember = event_type === 'telegram_my_chat_member' && isPrivate
  const isMessage = event_type === 'telegram_message' || event_type.startsWith('telegram_command ')
  if (event_type === 'telegram_bot_blocked' || (isMember && status === 'kicked')) return { datetime, isGain: false }
  if (event_type === 'telegram_bot_unblocked' || (isMember && status === 'member')) return { datetime, isGain: true }
  return isMessage && isPrivate ? { datetime, isGain: true } : null
}

function seriesOf(users: readonly Reached[], period: Period) {
  const before = precedingPeriod(period)
  const change = (now: number, then: number) => changeOf({ of: now, per: 1 }, { of: then, per: 1 })
  const days = daysOf(period)
  const reachableAt = (day: number) =>
    users.filter(({ turns }) => turns.findLast(({ datetime }) => dayIn(datetime, period.timeZone) <= day)?.isGain)
      .length
  const turned = (name: string, isGain: boolean) => {
    const countIn = (within: Period) =>
      users.filter(({ turns }) => turns.some((turn) => turn.isGain === isGain && isIn(turn.datetime, within))).length
    const data = days.map((day) => countIn({ ...period, from: day, to: day }))
    return numberSeries({ name, data, key_value: countIn(period), change: change(countIn(period), countIn(before)) })
  }
  const [end, endBefore] = [reachableAt(period.to), reachableAt(before.to)]
  return [
    numberSeries({ name: 'reachable', data: days.map(reachableAt), key_value: end, change: change(end, endBefore) }),
    turned('gained', true),
    turned('lost', false),
  ]
}
