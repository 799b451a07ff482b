import fc from 'fast-check'
import { askPeriod, toPath } from './asking.ts'
import { DAY_MS, type MadeHistory, type SentEvent } from './event-history.ts'
import { USER_PROPERTIES } from './filter-oracle.ts'
import { type AskedHistory, askedHistories, periodOf } from './made-up-questions.ts'
import type { ReachQuestion } from './reach-oracle.ts'

const MEMBERSHIP = 'telegram_my_chat_member'
const NAMES = [
  ...['telegram_message', 'telegram_command /start', 'telegram_command /buy', 'telegram_bot_unblocked'],
  ...['telegram_bot_blocked', 'telegram_bot_blocked', MEMBERSHIP, MEMBERSHIP],
  // Say nothing about reach, though they look like it.
  ...['telegram_edited_message', 'telegram_messages', 'telegram_command', 'telegram_chat_member', 'visit'],
]
const STATUSES = ['member', 'member', 'kicked', 'kicked', 'left', '"member"', 5, null, undefined]
const CHATS = ['private', 'private', 'private', 'private', 'supergroup', 'Private', undefined]

const FIRST_DAY = Date.parse('2026-02-26') / DAY_MS

/** A few users who write, block and come back, often within the same second. */
const madeBotUse: fc.Arbitrary<MadeHistory> = fc
  .array(
    fc.record({
      event_type: fc.constantFrom(...NAMES),
      telegram_id: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 40 })),
      datetime: fc
        .tuple(fc.integer({ min: 0, max: 8 }), fc.constantFrom(0, 1000, 1000, DAY_MS / 2, DAY_MS - 1))
        .map(([day, time]) => (FIRST_DAY + day) * DAY_MS + time),
      referrer_type: fc.constantFrom(...CHATS),
      start_parameter: fc.constantFrom('a_x', 'b.c', 'd', undefined, undefined),
      country: fc.constantFrom('a', 'b', '(none)', undefined),
      params: fc.constantFrom(...STATUSES).map((new_status) => (new_status === undefined ? {} : { new_status })),
    }),
    { minLength: 1, maxLength: 80, size: 'max' },
  )
  .chain((events) =>
    fc
      .shuffledSubarray(
        events.map((_, place) => place),
        { minLength: events.length },
      )
      .map((ids) => ({
        events: events.map((event, place) => ({ ...event, event_id: `event ${ids[place]}` }) as SentEvent),
        names: NAMES,
        path: NAMES,
        telling: [],
        windows: [],
        paramNames: ['new_status'],
      })),
  )

export const askedReaches: fc.Arbitrary<AskedHistory<ReachQuestion>> = askedHistories(
  madeBotUse,
  (history) =>
    fc
      .tuple(periodOf(history, [1, 2, 5, 9, 20]), fc.option(fc.constantFrom('source', ...USER_PROPERTIES)))
      .map(([period, by]) => ({
        question: { ...period, by },
        path: toPath('/bot/reach', [...askPeriod(period), ...(by === null ? [] : ([['by', by]] as const))]),
      })),
  8,
)
