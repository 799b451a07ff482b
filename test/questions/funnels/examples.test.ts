import { describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { dayOf, funnelPath } from '../../support/asking.ts'
import { getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import type { SentEvent } from '../../support/event-history.ts'
import { answerFunnel, type FunnelQuestion } from '../../support/funnel-oracle.ts'

/** Worked out by hand. The service answers so, and so does the brute force that random histories are compared with. */

const NOW = Date.parse('2026-11-20T12:00:00Z')
const [ANN, BEN, CID, DAN] = [1, 2, 3, 4]

type Said = Omit<SentEvent, 'event_id' | 'event_type' | 'telegram_id' | 'datetime'>

/** At a time of 2 November, or on another day that is said. */
function did(event_type: string, when: string, telegram_id = ANN, said: Said = {}): SentEvent {
  const datetime = Date.parse(when.includes('T') ? `${when}Z` : `2026-11-02T${when}Z`)
  return { event_id: crypto.randomUUID(), event_type, datetime, telegram_id, ...said }
}

interface Example {
  readonly title: string
  readonly history: readonly SentEvent[]
  /** Within an hour, entered on 2 November, unless it says otherwise. */
  readonly question: Pick<FunnelQuestion, 'events'> & Partial<FunnelQuestion>
  /** How many users of each group reached each step. */
  readonly users: Readonly<Record<string, readonly number[]>>
  /** Median and average seconds of each group from the step before, from the second step on. */
  readonly seconds?: Readonly<Record<string, readonly (readonly [median: number | null, average: number | null])[]>>
  /** The change of each group in percent. */
  readonly change?: Readonly<Record<string, number>>
}

const ORDER: Example[] = [
  {
    title: 'one event after the other',
    history: [did('view', '10:00:00'), did('order', '10:00:10')],
    question: { events: ['view', 'order'] },
    users: { 'All users': [1, 1] },
  },
  {
    title: 'what came before the entry serves no later step',
    history: [did('order', '09:59:59'), did('view', '10:00:00')],
    question: { events: ['view', 'order'] },
    users: { 'All users': [1, 0] },
  },
  {
    title: 'other events may lie between',
    history: [did('view', '10:00:00'), did('cart', '10:00:05'), did('order', '10:00:10')],
    question: { events: ['view', 'order'] },
    users: { 'All users': [1, 1] },
  },
  {
    title: 'a step that is missing ends the way',
    history: [did('view', '10:00:00'), did('order', '10:00:10')],
    question: { events: ['view', 'cart', 'order'] },
    users: { 'All users': [1, 0, 0] },
  },
  {
    title: 'users do not finish what others began',
    history: [did('view', '10:00:00', ANN), did('order', '10:00:10', BEN)],
    question: { events: ['view', 'order'] },
    users: { 'All users': [1, 0] },
  },
]

const ONE_INSTANT = [did('order', '10:00:00'), did('cart', '10:00:00'), did('view', '10:00:00')]

const INSTANTS: Example[] = [
  {
    title: 'events of one instant are taken in the order of the steps',
    history: ONE_INSTANT,
    question: { events: ['view', 'cart', 'order'] },
    users: { 'All users': [1, 1, 1] },
    seconds: {
      'All users': [
        [0, 0],
        [0, 0],
      ],
    },
  },
  {
    title: 'whichever that is',
    history: ONE_INSTANT,
    question: { events: ['order', 'view', 'cart'] },
    users: { 'All users': [1, 1, 1] },
  },
  {
    title: 'one event serves one step',
    history: [did('view', '10:00:00')],
    question: { events: ['view', 'view'] },
    users: { 'All users': [1, 0] },
  },
  {
    title: 'two events of one instant serve two steps of their name, not three',
    history: [did('view', '10:00:00'), did('view', '10:00:00')],
    question: { events: ['view', 'view', 'view'] },
    users: { 'All users': [1, 1, 0] },
  },
  {
    title: 'a name that comes back needs an event of its own',
    history: [did('view', '10:00:00'), did('cart', '10:00:10')],
    question: { events: ['view', 'cart', 'view'] },
    users: { 'All users': [1, 1, 0] },
  },
  {
    title: 'and an event of its own serves it',
    history: [did('view', '10:00:00'), did('cart', '10:00:10'), did('view', '10:00:30')],
    question: { events: ['view', 'cart', 'view'] },
    users: { 'All users': [1, 1, 1] },
    seconds: {
      'All users': [
        [10, 10],
        [20, 20],
      ],
    },
  },
]

const ENTRIES_AND_WINDOW: Example[] = [
  {
    title: 'every entry counts: the second one succeeds within the window',
    history: [did('view', '10:00:00'), did('view', '10:05:00'), did('order', '10:05:30')],
    question: { events: ['view', 'order'], windowSeconds: 60 },
    users: { 'All users': [1, 1] },
    seconds: { 'All users': [[30, 30]] },
  },
  {
    title: 'of two entries that succeed with the same event, the latest',
    history: [did('view', '10:00:00'), did('view', '10:05:00'), did('order', '10:05:30')],
    question: { events: ['view', 'order'] },
    users: { 'All users': [1, 1] },
    seconds: { 'All users': [[30, 30]] },
  },
  {
    title: 'the first to arrive stands for the user, though a later way was quicker',
    history: [did('view', '10:00:00'), did('order', '10:00:30'), did('view', '10:05:00'), did('order', '10:05:01')],
    question: { events: ['view', 'order'] },
    users: { 'All users': [1, 1] },
    seconds: { 'All users': [[30, 30]] },
  },
  {
    title: 'the way that comes further stands for the user, though another entered later',
    history: [
      did('view', '10:00:00'),
      did('cart', '10:00:20'),
      did('order', '10:01:00'),
      did('view', '10:05:00'),
      did('cart', '10:05:01'),
    ],
    question: { events: ['view', 'cart', 'order'] },
    users: { 'All users': [1, 1, 1] },
    seconds: {
      'All users': [
        [20, 20],
        [40, 40],
      ],
    },
  },
  {
    title: 'on the way each step is the first event that can serve it',
    history: [did('view', '10:00:00'), did('cart', '10:00:10'), did('cart', '10:00:30'), did('order', '10:00:40')],
    question: { events: ['view', 'cart', 'order'] },
    users: { 'All users': [1, 1, 1] },
    seconds: {
      'All users': [
        [10, 10],
        [30, 30],
      ],
    },
  },
  {
    title: 'exactly at the end of the window counts',
    history: [did('view', '10:00:00.250'), did('order', '10:01:00.250')],
    question: { events: ['view', 'order'], windowSeconds: 60 },
    users: { 'All users': [1, 1] },
    seconds: { 'All users': [[60, 60]] },
  },
  {
    title: 'a millisecond later does not',
    history: [did('view', '10:00:00.250'), did('order', '10:01:00.251')],
    question: { events: ['view', 'order'], windowSeconds: 60 },
    users: { 'All users': [1, 0] },
    seconds: { 'All users': [[null, null]] },
  },
  {
    title: 'the window begins at the entry, not at the step before',
    history: [did('view', '10:00:00'), did('cart', '10:00:40'), did('order', '10:01:20')],
    question: { events: ['view', 'cart', 'order'], windowSeconds: 60 },
    users: { 'All users': [1, 1, 0] },
  },
]

const PERIOD: Example[] = [
  {
    title: 'later steps may lie after the end of the period',
    history: [did('view', '23:59:59.999'), did('order', '2026-11-04T10:00:00')],
    question: { events: ['view', 'order'], windowSeconds: 7 * 86_400 },
    users: { 'All users': [1, 1] },
    seconds: { 'All users': [[122_400.001, 122_400.001]] },
  },
  {
    title: 'entries may not, nor lie before it',
    history: [did('view', '2026-11-01T23:59:59.999'), did('view', '2026-11-03T00:00:00'), did('order', '12:00:00')],
    question: { events: ['view', 'order'], windowSeconds: 7 * 86_400 },
    users: { 'All users': [0, 0] },
    change: { 'All users': -100 },
  },
  {
    title: 'the first millisecond of the period belongs to it',
    history: [did('view', '00:00:00'), did('order', '00:00:00')],
    question: { events: ['view', 'order'] },
    users: { 'All users': [1, 1] },
  },
  {
    title: 'change: 2 users completed, entered the day before 1: 100 %',
    history: [
      ...[ANN, BEN].flatMap((user) => [did('view', '10:00:00', user), did('order', '10:30:00', user)]),
      did('view', '2026-11-01T10:00:00', ANN),
      did('order', '2026-11-01T10:30:00', ANN),
      did('view', '2026-11-01T10:00:00', CID),
    ],
    question: { events: ['view', 'order'] },
    users: { 'All users': [2, 2] },
    change: { 'All users': 100 },
  },
  {
    title: 'change: who entered before midnight and completed after it belongs to the day of the entry',
    history: [
      did('view', '2026-11-01T23:59:59', ANN),
      did('order', '00:00:01', ANN),
      did('view', '2026-11-01T23:59:59', BEN),
      did('order', '00:00:01', BEN),
      did('view', '2026-11-01T12:00:00', DAN),
      did('order', '2026-11-01T12:00:01', DAN),
      did('view', '10:00:00', CID),
      did('order', '10:00:01', CID),
    ],
    question: { events: ['view', 'order'] },
    users: { 'All users': [1, 1] },
    change: { 'All users': -67 },
  },
]

const FILTERS: Example[] = [
  {
    title: 'filters hold for every step',
    history: [
      did('view', '10:00:00', ANN, { is_premium: true }),
      did('order', '10:00:10', ANN, { is_premium: true }),
      did('view', '10:00:00', BEN, { is_premium: true }),
      did('order', '10:00:10', BEN, { is_premium: false }),
      did('view', '10:00:00', CID, { is_premium: false }),
      did('order', '10:00:10', CID, { is_premium: true }),
    ],
    question: { events: ['view', 'order'], filters: [{ prop: 'is_premium', op: 'is', values: ['true'] }] },
    users: { 'All users': [2, 1] },
  },
  {
    title: 'parameters can be asked for as well',
    history: [
      did('view', '10:00:00', ANN, { params: { amount: 250 } }),
      did('order', '10:00:10', ANN, { params: { amount: 1e3 } }),
      did('view', '10:00:00', BEN, { params: { amount: 250 } }),
      did('order', '10:00:10', BEN, { params: { amount: 99.5 } }),
    ],
    question: { events: ['view', 'order'], filters: [{ prop: 'params.amount', op: 'greater', values: [100] }] },
    users: { 'All users': [2, 1] },
  },
]

const GROUPS: Example[] = [
  {
    title: 'a user counts in one group: that of the entry, whatever the later steps say',
    history: [did('view', '10:00:00', ANN, { city: 'Berlin' }), did('order', '10:00:10', ANN, { city: 'Paris' })],
    question: { events: ['view', 'order'], groupBy: ['city'] },
    users: { Berlin: [1, 1] },
  },
  {
    title: 'of several entries that lead there, the latest',
    history: [
      did('view', '10:00:00', ANN, { city: 'Berlin' }),
      did('view', '10:01:00', ANN, { city: 'Paris' }),
      did('order', '10:02:00', ANN),
      did('view', '10:03:00', ANN, { city: 'Rome' }),
    ],
    question: { events: ['view', 'order'], groupBy: ['city'] },
    users: { Paris: [1, 1] },
    seconds: { Paris: [[60, 60]] },
  },
  {
    title: 'an entry that a filter leaves out gives no group, though it sorts first',
    history: [
      did('view', '10:00:00', ANN, { city: 'Aarau', language: 'de' }),
      did('view', '10:00:00', ANN, { city: 'Berlin', language: 'en' }),
      did('order', '10:01:00', ANN, { language: 'en' }),
    ],
    question: {
      events: ['view', 'order'],
      groupBy: ['city'],
      filters: [{ prop: 'language', op: 'is', values: ['en'] }],
    },
    users: { Berlin: [1, 1] },
  },
  {
    title: 'the furthest step is what counts first',
    history: [
      did('view', '10:00:00', ANN, { city: 'Berlin' }),
      did('order', '10:01:00', ANN),
      did('view', '10:05:00', ANN, { city: 'Paris' }),
    ],
    question: { events: ['view', 'order'], groupBy: ['city'] },
    users: { Berlin: [1, 1] },
  },
  {
    title: 'then which chain reaches it first',
    history: [
      did('view', '10:00:00', ANN, { city: 'Berlin' }),
      did('order', '10:01:00', ANN),
      did('view', '10:05:00', ANN, { city: 'Paris' }),
      did('order', '10:05:01', ANN),
    ],
    question: { events: ['view', 'order'], groupBy: ['city'] },
    users: { Berlin: [1, 1] },
    seconds: { Berlin: [[60, 60]] },
  },
  {
    title: 'who only enters counts by the first entry',
    history: [did('view', '10:00:00', ANN, { city: 'Paris' }), did('view', '10:01:00', ANN, { city: 'Berlin' })],
    question: { events: ['view', 'order'], groupBy: ['city'] },
    users: { Paris: [1, 0] },
  },
  {
    title: 'of entries of one instant, the group that sorts first',
    history: [
      did('view', '10:00:00', ANN, { city: 'Paris', os: 'ios' }),
      did('view', '10:00:00', ANN, { city: 'Berlin', os: 'web' }),
      did('view', '10:00:00', ANN, { city: 'Berlin', os: 'ios' }),
      did('order', '10:00:10', ANN),
    ],
    question: { events: ['view', 'order'], groupBy: ['city', 'os'] },
    users: { 'Berlin, ios': [1, 1] },
  },
  {
    title: 'most completed first, ties by name; missing is (none)',
    history: [
      did('view', '10:00:00', ANN, { city: 'Paris' }),
      did('order', '10:00:10', ANN),
      did('view', '10:00:00', BEN, { city: 'Rome' }),
      did('view', '10:00:00', CID, { city: 'Berlin' }),
      did('view', '10:00:00', DAN),
      did('view', '10:00:00', 5),
    ],
    question: { events: ['view', 'order'], groupBy: ['city'] },
    users: { Paris: [1, 1], '(none)': [2, 0], Berlin: [1, 0], Rome: [1, 0] },
  },
  {
    title: 'change of each group alone: in Berlin 1 after 2, in Paris 1 after none',
    history: [
      ...[ANN, BEN].flatMap((user) => [
        did('view', '2026-11-01T10:00:00', user, { city: 'Berlin' }),
        did('order', '2026-11-01T10:30:00', user),
      ]),
      did('view', '2026-11-01T10:00:00', CID, { city: 'Rome' }),
      did('order', '2026-11-01T10:30:00', CID),
      did('view', '10:00:00', ANN, { city: 'Berlin' }),
      did('order', '10:30:00', ANN),
      did('view', '10:00:00', BEN, { city: 'Paris' }),
      did('order', '10:30:00', BEN),
    ],
    question: { events: ['view', 'order'], groupBy: ['city'] },
    users: { Berlin: [1, 1], Paris: [1, 1] },
    change: { Berlin: -50, Paris: 100 },
  },
  {
    title: 'where nobody entered there are no groups',
    history: [did('order', '10:00:00', ANN, { city: 'Berlin' })],
    question: { events: ['view', 'order'], groupBy: ['city'] },
    users: {},
  },
]

const TIMES: Example[] = [
  {
    title: 'of three users the median is the middle one',
    history: [...tookSeconds(ANN, 10), ...tookSeconds(BEN, 90), ...tookSeconds(CID, 20)],
    question: { events: ['view', 'order'] },
    users: { 'All users': [3, 3] },
    seconds: { 'All users': [[20, 40]] },
  },
  {
    title: 'of four the mean of the middle two; milliseconds are decimals; who did not come so far has no time',
    history: [
      ...tookSeconds(ANN, 10),
      ...tookSeconds(BEN, 90),
      ...tookSeconds(CID, 20.5),
      ...tookSeconds(DAN, 10.125),
      did('view', '10:00:00', 5),
    ],
    question: { events: ['view', 'order'] },
    users: { 'All users': [5, 4] },
    seconds: { 'All users': [[15.3125, 32.65625]] },
  },
]

function tookSeconds(user: number, seconds: number): SentEvent[] {
  const end = new Date(Date.parse('2026-11-02T10:00:00Z') + seconds * 1000)
  return [did('view', '10:00:00', user), did('order', end.toISOString().slice(0, -1), user)]
}

const TEN_STEPS: Example[] = [
  {
    title: 'ten steps, two names in turn',
    history: Array.from({ length: 10 }, (_, place) => did(place % 2 === 0 ? 'ping' : 'pong', `10:00:0${place}`)),
    question: { events: Array.from({ length: 10 }, (_, place) => (place % 2 === 0 ? 'ping' : 'pong')) },
    users: { 'All users': Array.from({ length: 10 }, () => 1) },
    seconds: { 'All users': Array.from({ length: 9 }, () => [1, 1] as const) },
  },
]

const EXCLUDED: Example[] = [
  {
    title: 'an excluded event within the chain undoes it from there on',
    history: [did('view', '10:00:00'), did('cart', '10:00:10'), did('leave', '10:00:20'), did('order', '10:00:30')],
    question: { events: ['view', 'cart', 'order'], exclude: ['leave'] },
    users: { 'All users': [1, 1, 0] },
  },
  {
    title: 'at the instant of its first event or of its last one it does not',
    history: ['10:00:00', '10:00:10'].flatMap((when, place) => [
      did('leave', when),
      did(place === 0 ? 'view' : 'order', when),
    ]),
    question: { events: ['view', 'order'], exclude: ['leave'] },
    users: { 'All users': [1, 1] },
    seconds: { 'All users': [[10, 10]] },
  },
  {
    title: 'a later entry begins anew',
    history: [did('view', '10:00:00'), did('leave', '10:00:05'), did('view', '10:00:06'), did('order', '10:00:10')],
    question: { events: ['view', 'order'], exclude: ['leave'] },
    users: { 'All users': [1, 1] },
    seconds: { 'All users': [[4, 4]] },
  },
  {
    title: 'it does so whether it passes the filters or not, and whichever of them it is',
    history: [ANN, BEN, CID].flatMap((user) => [
      did('view', '10:00:00', user, { os: 'ios' }),
      did(user === ANN ? 'leave' : user === BEN ? 'block' : 'other', '10:00:05', user, { os: 'android' }),
      did('order', '10:00:10', user, { os: 'ios' }),
    ]),
    question: {
      events: ['view', 'order'],
      exclude: ['leave', 'block'],
      filters: [{ prop: 'os', op: 'is', values: ['ios'] }],
    },
    users: { 'All users': [3, 1] },
  },
]

const STRICT: Example[] = [
  {
    title: 'one directly after the other',
    history: [did('view', '10:00:00'), did('order', '10:00:10')],
    question: { events: ['view', 'order'], order: 'strict' },
    users: { 'All users': [1, 1] },
    seconds: { 'All users': [[10, 10]] },
  },
  {
    title: 'another event in between interrupts, and so does one that does not pass the filters',
    history: [
      ...[ANN, BEN].map((user) => did('view', '10:00:00', user, { os: 'ios' })),
      did('cart', '10:00:05', ANN, { os: 'ios' }),
      did('view', '10:00:05', BEN, { os: 'android' }),
      ...[ANN, BEN].map((user) => did('order', '10:00:10', user, { os: 'ios' })),
    ],
    question: {
      events: ['view', 'order'],
      order: 'strict',
      filters: [{ prop: 'os', op: 'is', values: ['ios'] }],
    },
    users: { 'All users': [2, 0] },
  },
  {
    title: 'a repeated first step begins anew, across midnight too',
    history: [did('view', '23:59:58'), did('view', '23:59:59'), did('order', '2026-11-03T00:00:01')],
    question: { events: ['view', 'order'], order: 'strict' },
    users: { 'All users': [1, 1] },
    seconds: { 'All users': [[2, 2]] },
  },
  {
    title: 'what happened on a day in between interrupts as well',
    history: [did('view', '10:00:00'), did('other', '2026-11-03T10:00:00'), did('order', '2026-11-04T10:00:00')],
    question: { events: ['view', 'order'], order: 'strict', windowSeconds: 10 * 86_400 },
    users: { 'All users': [1, 0] },
  },
  {
    title: 'at one instant steps come in their order, and all others after them',
    history: [did('other', '10:00:00'), did('order', '10:00:00'), did('cart', '10:00:00'), did('view', '10:00:00')],
    question: { events: ['view', 'cart', 'order'], order: 'strict' },
    users: { 'All users': [1, 1, 1] },
  },
  {
    title: 'others of the instant interrupt what comes later',
    history: [did('view', '10:00:00'), did('other', '10:00:00'), did('order', '10:00:10')],
    question: { events: ['view', 'order'], order: 'strict' },
    users: { 'All users': [1, 0] },
  },
  {
    title: 'a name that is a step twice stands at its first place',
    history: [did('view', '10:00:00'), did('cart', '10:00:10'), did('view', '10:00:10')],
    question: { events: ['view', 'cart', 'view'], order: 'strict' },
    users: { 'All users': [1, 1, 0] },
  },
  {
    title: 'nothing can be excluded from between neighbours',
    history: [did('view', '10:00:00'), did('leave', '10:00:05'), did('view', '10:00:06'), did('order', '10:00:10')],
    question: { events: ['view', 'order'], order: 'strict', exclude: ['leave'] },
    users: { 'All users': [1, 1] },
    seconds: { 'All users': [[4, 4]] },
  },
]

const ANY: Example[] = [
  {
    title: 'whichever comes first',
    history: [did('order', '10:00:00'), did('view', '10:00:10'), did('cart', '10:00:30')],
    question: { events: ['view', 'cart', 'order'], order: 'any' },
    users: { 'All users': [1, 1, 1] },
    seconds: {
      'All users': [
        [10, 10],
        [20, 20],
      ],
    },
  },
  {
    title: 'the entry may be any step, and the latest of those that serve most counts',
    history: [did('view', '10:00:00'), did('order', '10:00:10'), did('view', '10:00:13')],
    question: { events: ['view', 'order'], order: 'any' },
    users: { 'All users': [1, 1] },
    seconds: { 'All users': [[3, 3]] },
  },
  {
    title: 'each event serves one step',
    history: [did('view', '10:00:00'), did('view', '10:00:10'), did('view', '10:00:20'), did('view', '10:00:30')],
    question: { events: ['view', 'order', 'view'], order: 'any' },
    users: { 'All users': [1, 1, 0] },
    seconds: {
      'All users': [
        [10, 10],
        [null, null],
      ],
    },
  },
  {
    title: 'the last one lies within the window from the first',
    history: [did('order', '10:00:00'), did('view', '11:00:00'), did('cart', '11:00:01')],
    question: { events: ['view', 'cart', 'order'], order: 'any' },
    users: { 'All users': [1, 1, 0] },
    seconds: {
      'All users': [
        [1, 1],
        [null, null],
      ],
    },
  },
  {
    title: 'an excluded event ends the chain that it lies in',
    history: [did('order', '10:00:00'), did('view', '10:00:10'), did('leave', '10:00:20'), did('cart', '10:00:30')],
    question: { events: ['view', 'cart', 'order'], order: 'any', exclude: ['leave'] },
    users: { 'All users': [1, 1, 0] },
    seconds: {
      'All users': [
        [10, 10],
        [null, null],
      ],
    },
  },
  {
    title: 'a user counts in the group of the entry, whichever step that is',
    history: [did('order', '10:00:00', ANN, { os: 'ios' }), did('view', '10:00:10', ANN, { os: 'android' })],
    question: { events: ['view', 'order'], order: 'any', groupBy: ['os'] },
    users: { ios: [1, 1] },
  },
]

const CHAPTERS: Readonly<Record<string, readonly Example[]>> = {
  order: ORDER,
  'one instant, repeated names': INSTANTS,
  'entries and the window': ENTRIES_AND_WINDOW,
  'the period and the one before': PERIOD,
  filters: FILTERS,
  groups: GROUPS,
  times: TIMES,
  'ten steps': TEN_STEPS,
  'excluded events': EXCLUDED,
  'strict order': STRICT,
  'any order': ANY,
}

function toQuestion({ question }: Pick<Example, 'question'>): FunnelQuestion {
  const day = dayOf('2026-11-02')
  return { windowSeconds: 3600, filters: [], groupBy: [], from: day, to: day, ...question }
}

type Answer = Pick<ReturnType<typeof answerFunnel>, 'yValues' | 'steps'>

/** What the examples say of an answer, in its own order. */
function toFigures({ yValues, steps }: Answer, { seconds, change }: Example) {
  const later = steps.filter(({ step }) => step > 1)
  const times = yValues.map(({ name }) => [name, later.filter(({ group }) => group === name).map(timesOf)])
  return {
    users: yValues.map(({ name, data }) => [name, data]),
    ...(seconds && { seconds: times }),
    ...(change && { change: yValues.map((series) => [series.name, series.change]) }),
  }
}

function timesOf({ median_seconds, average_seconds }: Answer['steps'][number]) {
  return [median_seconds, average_seconds]
}

function expectedFigures({ users, seconds, change }: Example) {
  return {
    users: Object.entries(users),
    ...(seconds && { seconds: Object.entries(seconds) }),
    ...(change && { change: Object.entries(change) }),
  }
}

async function ask<Answer>(history: readonly SentEvent[], question: FunnelQuestion): Promise<Answer> {
  const { applicationId, key } = await createPlainApplication()
  await deliver(messagesOf(applicationId, history, NOW))
  return (await getJson(funnelPath(question), key)).json<Answer>()
}

describe.each(Object.entries(CHAPTERS))('%s', (_, examples) => {
  it.each(examples)('by trying every chain: $title', (example) => {
    expect(toFigures(answerFunnel(example.history, toQuestion(example)), example)).toEqual(expectedFigures(example))
  })

  it.each(examples)('$title', async (example) => {
    const answer = await ask<Answer>(example.history, toQuestion(example))
    expect(toFigures(answer, example)).toEqual(expectedFigures(example))
  })
})

describe('a whole answer', () => {
  const history = [
    did('view', '10:00:00', ANN),
    did('cart', '10:00:30', ANN),
    did('view', '11:00:00', BEN),
    did('cart', '11:01:00', BEN),
    did('order', '11:02:30', BEN),
    did('view', '12:00:00', CID),
    did('view', '13:00:00', DAN),
  ]
  const question = toQuestion({ question: { events: ['view', 'cart', 'order'] } })
  const xValues = {
    name: 'step',
    data_type: 'time_series',
    data: ['view', 'cart', 'order'],
    length: 3,
    key_value: 3,
    empty: false,
  }
  const of = { group: 'All users' }
  const answer = {
    xValues,
    yValues: [
      {
        name: 'All users',
        data_type: 'time_series',
        data: [4, 2, 1],
        length: 3,
        key_value: 1,
        empty: false,
        change: 100,
      },
    ],
    steps: [
      { ...of, step: 1, event: 'view', users: 4, ...converted(100, 100), median_seconds: null, average_seconds: null },
      { ...of, step: 2, event: 'cart', users: 2, ...converted(50, 50), median_seconds: 45, average_seconds: 45 },
      { ...of, step: 3, event: 'order', users: 1, ...converted(25, 50), median_seconds: 90, average_seconds: 90 },
    ],
    conversion_times: [{ ...of, median_seconds: 150, average_seconds: 150, distribution: distribution(1) }],
    time_zone: 'UTC',
    status_code: 200,
    message: 'Success',
  }

  /** The distribution within an hour of users who took from one to five minutes. */
  function distribution(users: number) {
    return [0, 10, 30, 60, 300, 900].map((from_seconds) => ({ from_seconds, users: from_seconds === 60 ? users : 0 }))
  }

  function converted(conversion_from_start: number, conversion_from_previous: number) {
    return { conversion_from_start, conversion_from_previous }
  }

  it('of the brute force', () => {
    expect(answerFunnel(history, question)).toEqual(answer)
  })

  it('of the service', async () => {
    expect(await ask(history, question)).toEqual(answer)
  })

  const nobody = { users: 0, ...converted(0, 0), median_seconds: null, average_seconds: null }
  const emptyAnswer = {
    ...answer,
    yValues: [{ ...answer.yValues[0], data: [0, 0, 0], key_value: 0, empty: true, change: 0 }],
    steps: answer.steps.map((step) => ({ ...step, ...nobody })),
    conversion_times: [{ ...of, median_seconds: null, average_seconds: null, distribution: distribution(0) }],
  }

  it('labels steps in any order by how many occurred', async () => {
    const asked: FunnelQuestion = { ...question, order: 'any' }
    const steps = ['1 of 3', '2 of 3', '3 of 3']
    const expected = { xValues: { ...xValues, data: steps }, steps: steps.map((event) => ({ event })) }
    expect(answerFunnel(history, asked)).toMatchObject(expected)
    expect(await ask(history, asked)).toMatchObject(expected)
  })

  it('of the brute force if nobody entered', () => {
    expect(answerFunnel([did('order', '10:00:00')], question)).toEqual(emptyAnswer)
  })

  it('of the service if nobody entered', async () => {
    const warnings = ['view', 'cart'].map((name) => `'${name}' does not occur in the events of this application.`)
    expect(await ask([did('order', '10:00:00')], question)).toEqual({ ...emptyAnswer, warnings })
  })
})
