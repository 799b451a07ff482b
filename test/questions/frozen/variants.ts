import { BUSY_USER, INVITER } from './history.ts'

const inGermany = `filters=[{"prop":"country","op":"is","values":["Germany","Brazil"]}]`
const PAYERS = 'filters=[{"prop":"cohort","op":"is","values":["payers"]}]'
const ODD =
  'filters=[{"prop":"params.order_total","op":"greater or equal","values":[0.1]},{"prop":"os","op":"is not","values":["a"]}]'
const WEEK = 'start=20261102&end=20261108'
const PAID = 'event=Order paid'
const EVERY =
  'filters=[{"prop":"source","op":"contains","values":["e"]},{"prop":"first.language","op":"set is not","values":["xx"]}]'

/** More requests of each question, beside the sample request of the reference; `{…}` is filled in. */
export const VARIANTS: Readonly<Record<string, readonly string[]>> = {
  getMonthlyActiveUsers: ['', 'days=1', 'days=90'],
  getGrowthTrend: ['', 'limit=1&offset=1'],
  listUsers: ['', 'sort_by=total_sessions&sort_order=asc&limit=9&offset=3', 'utm=ref_1', 'city=São Paulo'],
  aggregateUsers: [
    '',
    'aggregation_param=start_parameter',
    `${WEEK}&aggregation_param=is_premium&returned_values_limit=1`,
    'aggregation_param=os',
  ],
  getUserActivity: [WEEK, inGermany, PAYERS, 'end=20261110', EVERY],
  countActiveDays: ['', PAYERS, inGermany],
  countLiveUsers: [inGermany],
  analyzeRetention: [
    '',
    'start_event=Session start&return_event=Order paid',
    'mode=unbounded&interval=week&start=20260901&end=20261122',
    'interval=month&start=20260901&group_by=country',
    `group_by=city&${WEEK}`,
    PAYERS,
    'group_by=cohort:payers',
    'start_event=_active',
  ],
  getAcquisition: [
    '',
    'by=first.country&currency=eur',
    `by=campaign&activation_event=Cart updated&${inGermany}`,
    'by=first.city&start=20260901&limit=2&offset=1',
    `${WEEK}&${PAYERS}`,
  ],
  getReferrals: ['', 'start=20260901&activation_event=Order paid&currency=TON', WEEK],
  getBotReach: ['', 'by=first.language&start=20260901&end=20261122', WEEK],
  averageSessions: [WEEK, PAYERS, `start=20260901&${inGermany}`],
  countSessionLengths: ['', WEEK],
  findUsers: [
    'definition={"match":"any","conditions":[{"type":"did","event":"Donation","times":{"op":"at_most","n":3}},{"type":"funnel","events":["Product viewed","Order paid"],"reached":1,"and_stopped":true},{"type":"users","telegram_ids":[1,2,77]}]}&sort_by=name&sort_order=asc',
    'definition={"match":"all","conditions":[{"type":"first_seen","within":{"days":30}},{"type":"property","prop":"language","op":"is not","values":["en"]}]}',
    'definition={"match":"all","conditions":[{"type":"revenue","op":"greater","amount":0,"currency":"XTR"}]}&search=le',
  ],
  getUser: ['@1', '@4', '@987'],
  listUserEvents: ['@1?limit=7', '@2?event=Donation', `@${BUSY_USER}?limit=20&before=1795265692271-1`],
  listUserDays: [`@${BUSY_USER}`, '@1?start=20261001&end=20261122'],
  listUserReferrals: [`@${INVITER}`, '@2?limit=1&offset=1', '@987'],
  analyzeFunnel: [
    'events=Session start&events=Product viewed&events=Order paid&group_by=country',
    'events=Session start&events=Order paid&order=strict&window_seconds=3600',
    `events=Product viewed&events=Cart updated&events=Session end&order=any&exclude=Search&${inGermany}`,
    'events=Session start&events=Product viewed&group_by=city,is_premium&start=20260901&end=20261122',
    `events=_active&events=Order paid&${PAYERS}`,
    'events=Order paid&events=Donation&events=größe 😀&group_by=os,brand',
  ],
  segmentEvents: [
    ...['uniques', 'totals', 'average', 'pct_dau'].flatMap((mode) => [
      `${PAID}&mode=${mode}`,
      `event=_active&mode=${mode}&group_by=city`,
    ]),
    ...['sum', 'avg', 'min', 'max', 'median', 'p90', 'per_user', 'distinct'].flatMap((mode) => [
      `${PAID}&mode=${mode}&of=params.order_total`,
      `event=Product viewed&mode=${mode}&of=params.price&group_by=params.tags&start=20260901`,
      `event=_active&mode=${mode}&of=params.total_amount&group_by=city,language&${WEEK}`,
    ]),
    `${PAID}&group_by=cohort:payers`,
    `${PAID}&${ODD}`,
    'event=Order payed&filters={"prop":"params.order_totl","op":"is","values":["1"]}',
    `event=Session start&group_by=source,first.country&${EVERY}`,
  ],
  analyzeTrends: [
    'series=[{"event":"_active"}]&group_by=city&compare=28d',
    'series=[{"event":"_active","mode":"totals"}]&group_by=params.tags&interval=month&start=20260901&end=20261122',
    'series=[{"event":"Order paid","mode":"sum","of":"params.order_total"},{"event":"Session start"},{"event":"Search","mode":"distinct","of":"params.query"}]&formula=A/B&formula=(A-C)/0&interval=hour',
    'series=[{"event":"Order paid","mode":"median","of":"params.order_total"}]&interval=month&compare=previous',
    'series=[{"event":"Session start"}]&first_time=true&interval=week&start=20260901&end=20261122',
    `series=[{"event":"Order paid","filters":[{"prop":"cohort","op":"is not","values":["payers"]}]}]&${inGermany}`,
  ],
  analyzeEventHours: [PAID, 'event=_active', `event=Session start&mode=totals&start=20260901&${inGermany}`],
  getEventPaths: [
    'event=Product viewed&steps=5',
    'event=Order paid&direction=before&steps=3&exclude_pageviews=true',
    'event=_session&steps=3&start=20260901&end=20261122',
    `${PAID}&${PAYERS}`,
  ],
  listEventNames: ['', 'contains=PA&limit=5&offset=1', inGermany],
  listLatestEvents: ['', 'event=_active&limit=100', `${inGermany}&limit=5`],
  listProperties: ['', PAID],
  listPropertyValues: [
    'country',
    'city?missing=true&limit=1000',
    'params.tags?contains=a',
    'params.order_total',
    'source',
    `first.os?${WEEK}`,
    `campaign?missing=true&${PAYERS}`,
  ],
  getRevenue: [
    'start=20260901&end=20261122',
    'currency=eur&group_by=country',
    `currency=TON&${inGermany}`,
    'group_by=city&start=20260901&end=20261122',
    'group_by=cohort:payers',
    `${WEEK}&group_by=source`,
  ],
  analyzeRevenueLtv: [
    'start=20260901&interval=month',
    'currency=USD&group_by=first.language',
    'interval=week&group_by=city&start=20260901&end=20261122',
    PAYERS,
  ],
  getPremiumDistribution: ['', 'start=20260901&end=20261010'],
}

/** Cells of answers, whose users are listed. */
export const CELLS: readonly (readonly [question: string, ...cells: object[]])[] = [
  [
    '/acquisition?activation_event=Order paid&currency=XTR',
    {},
    { figure: 'activated' },
    { figure: 'd7' },
    { figure: 'payers', group: '(none)' },
    { figure: 'verified' },
    { figure: 'single_event', group: 'Referral' },
  ],
  [
    '/bot/reach?by=first.language&start=20260901&end=20261122',
    {},
    { series: 'gained' },
    { series: 'lost', group: 'ru' },
    { day: '2026-11-20' },
  ],
  ['/events/names', { name: 'Order paid' }, { name: '__proto__' }],
  [
    '/events/paths?event=Product viewed&steps=3',
    { step: 1, from: 'Product viewed', to: '(end)' },
    { step: 2, from: 'Cart updated', to: { not: ['(end)', 'Search'] } },
    { step: 1, from: 'Product viewed', to: 'Cart updated' },
  ],
  [
    '/events/segmentation?event=Order paid&group_by=country,is_premium',
    {},
    { day: '2026-11-20' },
    { group: ['Germany', 'true'] },
  ],
  [
    '/events/trends?series=[{"event":"Search"},{"event":"Order paid"}]&interval=week',
    {},
    { series: 'B' },
    { series: 'B', interval: '2026-11-16' },
  ],
  ['/events/trends?series=[{"event":"Search"}]&group_by=city', { group: '(none)' }, { interval: '2026-11-20' }],
  [
    '/funnels?events=Session start&events=Product viewed&events=Order paid&group_by=language',
    { step: 2 },
    { step: 1, stopped: true },
    { step: 3, group: 'ru' },
  ],
  ['/funnels?events=Session start&events=Order paid&order=any&exclude=Search', { step: 1, stopped: true }, { step: 2 }],
  [
    '/retention?interval=week&group_by=country',
    {},
    { offset: 1 },
    { cohort: '2026-11-02', offset: 1 },
    { cohort: '2026-11-09', group: 'Germany' },
    { offset: 2, complete: false },
  ],
  [
    '/retention?start_event=Session start&return_event=Order paid&mode=unbounded',
    { offset: 3 },
    { cohort: '2026-11-09', offset: 1 },
  ],
  ['/revenue?currency=XTR&group_by=language', {}, { series: 'new_payers' }, { day: '2026-11-20' }, { group: 'en' }],
  [
    '/revenue/ltv?currency=XTR&interval=month&start=20260901&end=20261122',
    {},
    { offset: 1 },
    { cohort: '2026-10-01', offset: 0 },
  ],
  [
    '/users/activity',
    {},
    { series: 'wau' },
    { series: 'new' },
    { series: 'returning', day: '2026-11-20' },
    { series: 'resurrected', day: '2026-11-20' },
    { series: 'dormant', day: '2026-11-20' },
    { series: 'mau', day: '2026-11-01' },
  ],
  ['/users/frequency', {}, { days: 1 }, { days: 4 }],
  ['/users/segmentation/aggregated?aggregation_param=country', {}, { value: '(none)' }, { value: 'Germany' }],
]

/** One request has many faults: what is said about each parameter is held. */
export const FAULTY = [
  'start=20261301&end=x&limit=0&offset=-1&days=0&steps=9&interval=fortnight&mode=loud&direction=up&order=wild&compare=never&by=nothing&group_by=nothing,country,city&filters=[{"prop":"nothing","op":"is"},3]&event=&events=a&series=[{"event":"a","mode":"sum"},{}]&formula=Z+&currency=€&sort_by=mood&definition={"match":"none","conditions":[{"type":"figure"}]}&aggregation_param=mood&window_seconds=0&before=now&first_time=maybe',
  'start=20261120&end=20261101&unknown=1&filters={"prop":"cohort","op":"is","values":["nobody"]}&event=a&events=a&events=b&exclude=a&series=[{"event":"a"}]&formula=B&definition=x&group_by=cohort:nobody',
  'start=20200101&filters=[&series=[&event=a&of=params.x&events=a&events=b',
]
