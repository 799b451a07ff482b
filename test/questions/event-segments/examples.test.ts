import { beforeAll, describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { dayOf, segmentationPath } from '../../support/asking.ts'
import { getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import type { Json, SentEvent } from '../../support/event-history.ts'
import type { Filter } from '../../support/filter-oracle.ts'
import { answerSegmentation, type SegmentationQuestion } from '../../support/segmentation-oracle.ts'

/** Worked out by hand. The service answers so, and so does the brute force that random histories are compared with. */

const NOW = Date.parse('2026-11-20T12:00:00Z')
const [ANN, BEN, CID] = [1, 2, 3]

type Said = Omit<SentEvent, 'event_id' | 'event_type' | 'telegram_id' | 'datetime'>

function did(event_type: string, time: string, telegram_id: number, said: Said = {}): SentEvent {
  return { event_id: crypto.randomUUID(), event_type, datetime: Date.parse(time), telegram_id, ...said }
}

/** This many events, each of another user. */
function many(count: number, event_type: string, time: string): SentEvent[] {
  return Array.from({ length: count }, (_, place) => did(event_type, time, place + 1))
}

interface Example {
  readonly title: string
  /** `uniques` of everything on 2 November unless it says otherwise. */
  readonly question: Partial<Omit<SegmentationQuestion, 'from' | 'to'>> & { readonly days?: readonly [string, string] }
  readonly series: readonly (readonly [name: string, data: readonly number[], keyValue: number, change?: number])[]
}

const MODES_OF_FIVE_EVENTS = {
  about: 'Ann orders twice at once, Ben orders just before midnight, Ann at midnight; Cid looks around',
  history: [
    did('order', '2026-11-02T09:00:00Z', ANN),
    did('order', '2026-11-02T09:00:00Z', ANN),
    did('order', '2026-11-02T23:59:59.999Z', BEN),
    did('order', '2026-11-03T00:00:00Z', ANN),
    did('view', '2026-11-03T12:00:00Z', CID),
  ],
  examples: orderedOn(['2026-11-02', '2026-11-03'], {
    'uniques: users a day; in all, each once': ['order', 'uniques', [2, 1], 2],
    'totals: events': ['order', 'totals', [3, 1], 4],
    'average: events per user; in all 4 events of 2 users': ['order', 'average', [1.5, 1], 2],
    'pct_dau: of 2 active users 2, of 2 one; in all 2 of 3, which is 66.7': ['order', 'pct_dau', [100, 50], 67],
    '_active is any event: users': ['_active', 'uniques', [2, 2], 3],
    '_active is any event: events': ['_active', 'totals', [3, 2], 5],
    '_active is any event: 5 events of 3 users': ['_active', 'average', [1.5, 1], 2],
    '_active is any event: everyone': ['_active', 'pct_dau', [100, 100], 100],
  }),
}

type Row = readonly [event: string, mode: SegmentationQuestion['mode'], data: readonly number[], keyValue: number]

/** The answer if nothing happened in the preceding period, so that `change` is 100. */
function orderedOn(days: readonly [string, string], rows: Readonly<Record<string, Row>>): Example[] {
  return Object.entries(rows).map(([title, [event, mode, data, keyValue]]) => {
    return { title, question: { event, mode, days }, series: [[event, data, keyValue, 100]] }
  })
}

const CHANGE = {
  about: 'change compares the unrounded headline with that of the preceding period',
  history: [
    ...MODES_OF_FIVE_EVENTS.history,
    ...many(8, 'ping', '2026-11-01T10:00:00Z'),
    ...many(9, 'ping', '2026-11-02T10:00:00Z'),
    ...many(8, 'pong', '2026-11-04T10:00:00Z'),
    ...many(7, 'pong', '2026-11-05T10:00:00Z'),
    ...many(3, 'tick', '2026-11-06T10:00:00Z'),
    did('tick', '2026-11-06T11:00:00Z', ANN),
    ...many(3, 'tick', '2026-11-07T10:00:00Z'),
    did('tick', '2026-11-07T11:00:00Z', ANN),
    did('tick', '2026-11-07T11:00:00Z', BEN),
  ],
  examples: [
    {
      title: '2 users, then 1: -50 %',
      question: { event: 'order', days: ['2026-11-03', '2026-11-03'] },
      series: [['order', [1], 1, -50]],
    },
    {
      title: '3 events, then 1: -66.7 %',
      question: { event: 'order', mode: 'totals', days: ['2026-11-03', '2026-11-03'] },
      series: [['order', [1], 1, -67]],
    },
    {
      title: '8, then 9: 12.5 % is rounded up',
      question: { event: 'ping', mode: 'totals' },
      series: [['ping', [9], 9, 13]],
    },
    {
      title: '8, then 7: -12.5 % is rounded away from zero too',
      question: { event: 'pong', mode: 'totals', days: ['2026-11-05', '2026-11-05'] },
      series: [['pong', [7], 7, -13]],
    },
    {
      title: '4/3, then 5/3 events per user: 25 %, although the headlines are 1 and 2',
      question: { event: 'tick', mode: 'average', days: ['2026-11-07', '2026-11-07'] },
      series: [['tick', [5 / 3], 2, 25]],
    },
    {
      title: 'from nothing it is 100',
      question: { event: 'pong', mode: 'totals', days: ['2026-11-04', '2026-11-04'] },
      series: [['pong', [8], 8, 100]],
    },
    {
      title: 'to nothing it is -100',
      question: { event: 'ping', mode: 'totals', days: ['2026-11-03', '2026-11-03'] },
      series: [['ping', [0], 0, -100]],
    },
    {
      title: 'two days are compared with the two days before: 8 users, then 9',
      question: { event: 'ping', days: ['2026-11-02', '2026-11-03'] },
      series: [['ping', [9, 0], 9, 13]],
    },
    {
      title: 'what never happened is no error',
      question: { event: 'nothing', days: ['2026-11-02', '2026-11-03'] },
      series: [['nothing', [0, 0], 0, 0]],
    },
  ] satisfies Example[],
}

const GROUPS = {
  about: 'groups: one series per value that occurs, the largest first, ties by name',
  history: [
    did('order', '2026-11-01T08:00:00Z', BEN, { city: 'Paris' }),
    did('order', '2026-11-01T08:00:00Z', CID, { city: 'Paris' }),
    did('order', '2026-11-01T09:00:00Z', CID, { city: 'Oslo' }),
    did('order', '2026-11-02T09:00:00Z', ANN, { city: 'Berlin', is_premium: true }),
    did('order', '2026-11-02T10:00:00Z', ANN, { city: 'Paris', is_premium: true }),
    did('order', '2026-11-02T11:00:00Z', ANN, { city: 'Paris' }),
    did('order', '2026-11-02T12:00:00Z', BEN, { city: 'N/A', is_premium: false }),
    did('order', '2026-11-02T13:00:00Z', BEN, { city: '(none)', is_premium: true }),
    did('view', '2026-11-02T13:00:00Z', CID, { city: 'Rome' }),
    did('view', '2026-11-02T14:00:00Z', 4),
  ],
  examples: [
    {
      title: 'a user counts in each of theirs; missing is (none), and so is a city of that name',
      question: { event: 'order', groupBy: ['city'] },
      series: [
        ['(none)', [1], 1, 100],
        ['Berlin', [1], 1, 100],
        ['Paris', [1], 1, -50],
      ],
    },
    {
      title: 'Oslo occurs in the preceding period only, so it is no group of this one',
      question: { event: 'order', mode: 'totals', groupBy: ['city'] },
      series: [
        ['(none)', [2], 2, 100],
        ['Paris', [2], 2, 0],
        ['Berlin', [1], 1, 100],
      ],
    },
    {
      title: 'two properties: their values joined',
      question: { event: 'order', mode: 'totals', groupBy: ['city', 'is_premium'] },
      series: [
        ['(none), false', [1], 1, 100],
        ['(none), true', [1], 1, 100],
        ['Berlin, true', [1], 1, 100],
        ['Paris, (none)', [1], 1, -50],
        ['Paris, true', [1], 1, 100],
      ],
    },
    {
      title: 'average of each group alone',
      question: { event: 'order', mode: 'average', groupBy: ['city'] },
      series: [
        ['(none)', [2], 2, 100],
        ['Paris', [2], 2, 100],
        ['Berlin', [1], 1, 100],
      ],
    },
    {
      title: 'percent of all who were active, with any event: 1 of 4, the day before 2 of 2',
      question: { event: 'order', mode: 'pct_dau', groupBy: ['city'] },
      series: [
        ['(none)', [25], 25, 100],
        ['Berlin', [25], 25, 100],
        ['Paris', [25], 25, -75],
      ],
    },
    {
      title: 'filters hold for the event, not for who is active',
      question: { event: 'order', mode: 'pct_dau', filters: [{ prop: 'city', op: 'is', values: ['Paris'] }] },
      series: [['order', [25], 25, -75]],
    },
    {
      title: 'of what never happened there are no groups',
      question: { event: 'nothing', groupBy: ['city'] },
      series: [],
    },
  ] satisfies Example[],
}

const NAMESAKES = {
  about: 'groups of the same name stay apart: by their first values then',
  history: [
    did('order', '2026-11-02T09:00:00Z', ANN, { os: 'a, b', brand: 'c' }),
    did('order', '2026-11-02T10:00:00Z', ANN, { os: 'a', brand: 'b, c' }),
    did('order', '2026-11-01T10:00:00Z', ANN, { os: 'a', brand: 'b, c' }),
    did('order', '2026-11-01T10:00:00Z', BEN, { os: 'a', brand: 'b, c' }),
  ],
  examples: [
    {
      title: 'by system and brand',
      question: { event: 'order', groupBy: ['os', 'brand'] },
      series: [
        ['a, b, c', [1], 1, -50],
        ['a, b, c', [1], 1, 100],
      ],
    },
  ] satisfies Example[],
}

const LARGEST = {
  about: 'of many groups there are the 20 largest',
  history: [
    ...Array.from({ length: 25 }, (_, place) => did('order', '2026-11-02T09:00:00Z', ANN, { model: `m${10 + place}` })),
    did('order', '2026-11-02T09:00:00Z', BEN, { model: 'm34' }),
  ],
  examples: [
    {
      title: 'm34 has two users, of the others come the first by name',
      question: { event: 'order', groupBy: ['model'] },
      series: [['m34', [2], 2], ...Array.from({ length: 19 }, (_, place) => [`m${10 + place}`, [1], 1] as const)],
    },
  ] satisfies Example[],
}

const VALUES: Readonly<Record<string, Json>> = {
  absent: null,
  array: ['a', 'b', 'a'],
  empty: [],
  five: 5,
  nulls: [null, 'a'],
  object: { b: 1, a: 'x' },
  ten: '10',
  true: true,
  word: 'apple pie',
  zeroFive: '05',
}

function valued(label: string, value: Json): SentEvent {
  return did('order', '2026-11-02T09:00:00Z', ANN, { params: { label, value } })
}

const PARAMETERS = {
  about: "an event's own parameters: text, numbers, booleans, arrays, objects",
  history: [
    ...Object.entries(VALUES).map(([label, value]) => valued(label, value)),
    did('order', '2026-11-02T09:00:00Z', ANN, { params: { 'a.b': 2.5, 'wei"rd, \\ $[0]': 'found' } }),
  ],
  examples: [
    {
      title: 'each value as its text; null and absent are missing',
      question: { event: 'order', mode: 'totals', groupBy: ['params.value'] },
      series: [
        ['(none)', [2], 2],
        ['05', [1], 1],
        ['10', [1], 1],
        ['5', [1], 1],
        ['["a","b","a"]', [1], 1],
        ['[]', [1], 1],
        ['[null,"a"]', [1], 1],
        ['apple pie', [1], 1],
        ['true', [1], 1],
        ['{"b":1,"a":"x"}', [1], 1],
      ],
    },
    {
      title: 'a name is a name, not a path',
      question: { event: 'order', filters: [{ prop: 'params.a.b', op: 'is', values: ['2.5'] }] },
      series: [['order', [1], 1]],
    },
    {
      title: 'whatever characters it has',
      question: {
        event: 'order',
        groupBy: ['params.wei"rd, \\ $[0]'],
        filters: [{ prop: 'params.a.b', op: 'is not', values: ['(none)'] }],
      },
      series: [['found', [1], 1]],
    },
  ] satisfies Example[],
}

type Selection = readonly [op: Filter['op'], values: Filter['values'], found: string]

/** Which of the values above a filter finds. */
const SELECTIONS: readonly Selection[] = [
  ['is', ['5'], 'five'],
  ['is', [5], 'five'],
  ['is', ['5', '10'], 'five ten'],
  ['is', [true], 'true'],
  ['is', ['apple'], ''],
  ['is', ['Apple pie'], ''],
  ['is', ['["a","b","a"]'], 'array'],
  ['is', ['(none)'], 'absent'],
  ['is not', ['5', '10'], 'absent array empty nulls object true word zeroFive'],
  ['is not', ['(none)'], 'array empty five nulls object ten true word zeroFive'],
  ['is not', ['(none)', '5'], 'array empty nulls object ten true word zeroFive'],
  ['contains', ['pp', '0'], 'ten word zeroFive'],
  ['contains', ['%'], ''],
  ['contains', ['PP'], ''],
  ['does not contain', ['pp', '0'], 'absent array empty five nulls object true'],
  ['greater', [5], 'array empty nulls object ten true word'],
  ['greater', ['20', '9'], 'array empty nulls object ten true word'],
  ['greater', ['05'], 'array empty five nulls object ten true word'],
  ['greater or equal', ['5.0'], 'array empty five nulls object ten true word'],
  ['less', ['1e1'], 'five zeroFive'],
  ['less', ['b'], 'array empty five nulls ten word zeroFive'],
  ['less or equal', [10], 'five ten zeroFive'],
  ['set is', ['b', 'a'], 'array'],
  ['set is', ['a', 'b', 'b'], 'array'],
  ['set is', ['a'], ''],
  ['set is', ['a', 'b', 'c'], ''],
  ['set is', ['a', '(none)'], 'nulls'],
  ['set is', ['5'], 'five'],
  ['set is', ['(none)'], ''],
  ['set is not', ['b', 'a'], 'absent empty five nulls object ten true word zeroFive'],
  ['set is not', ['(none)'], 'absent array empty five nulls object ten true word zeroFive'],
]

const OPERATORS = {
  about: 'operators',
  history: PARAMETERS.history.slice(0, Object.keys(VALUES).length),
  examples: SELECTIONS.map(([op, values, found]): Example => {
    const filters: Filter[] = [{ prop: 'params.value', op, values }]
    const labels = found.split(' ').filter((label) => label !== '')
    return {
      title: `${op} ${JSON.stringify(values)}: ${found || 'none of them'}`,
      question: { event: 'order', groupBy: ['params.label'], filters },
      series: labels.map((label) => [label, [1], 1]),
    }
  }),
}

const SETS = {
  about: 'sets of numbers: as texts, and as JSON writes them',
  history: [
    valued('mixed', [5, '5', 5.5, 5]),
    valued('five', [5]),
    valued('point', ['5.0']),
    valued('large', [1e21, true, 12345678901234567000]),
  ],
  examples: (
    [
      [['5', 5.5], 'mixed'],
      [['5'], 'five'],
      [['5.0'], 'point'],
      [['1e+21', true, 12345678901234567000], 'large'],
      [['1e21', true, 12345678901234567000], ''],
    ] as const
  ).map(
    ([values, found]): Example => ({
      title: `${JSON.stringify(values)}: ${found || 'none of them'}`,
      question: {
        event: 'order',
        groupBy: ['params.label'],
        filters: [{ prop: 'params.value', op: 'set is', values }],
      },
      series: found === '' ? [] : [[found, [1], 1]],
    }),
  ),
}

const ROUNDED = {
  about: 'groups are ranked by what is shown: 3 and 5 of 400 users are both 1 %, so the name decides',
  history: [
    ...Array.from({ length: 400 }, (_, user) => did('open', '2026-11-02T09:00:00Z', user + 1)),
    ...Array.from({ length: 5 }, (_, user) => did('order', '2026-11-02T10:00:00Z', user + 1, { city: 'Zug' })),
    ...Array.from({ length: 3 }, (_, user) => did('order', '2026-11-02T10:00:00Z', user + 1, { city: 'Aarau' })),
  ],
  examples: [
    {
      title: 'Aarau before Zug',
      question: { event: 'order', mode: 'pct_dau', groupBy: ['city'] },
      series: [
        ['Aarau', [0.75], 1],
        ['Zug', [1.25], 1],
      ],
    },
  ] satisfies Example[],
}

const FILTERS = {
  about: 'filters on who the user was at the event',
  history: [
    did('order', '2026-11-02T09:00:00Z', ANN, { language: 'eng', is_premium: true, start_parameter: 'spring' }),
    did('order', '2026-11-02T10:00:00Z', BEN, { language: 'eng', is_premium: false, country: "Côte d'Ivoire" }),
    did('order', '2026-11-02T11:00:00Z', CID, { language: 'rus', write_access: true, device: '' }),
  ],
  examples: [
    filtered('one filter', [{ prop: 'language', op: 'is', values: ['eng'] }], 2),
    filtered('joined by AND', [{ prop: 'language', op: 'is', values: ['eng'] }, isPremium('is', true)], 1),
    filtered('booleans as text', [isPremium('is', 'true')], 1),
    filtered('missing is not true', [isPremium('is not', 'true')], 2),
    filtered('utm is the start parameter', [{ prop: 'utm', op: 'contains', values: ['pri'] }], 1),
    filtered('quotes', [{ prop: 'country', op: 'is', values: ["Côte d'Ivoire"] }], 1),
    filtered('an empty text is missing', [{ prop: 'device', op: 'is', values: ['(none)'] }], 3),
    filtered('write access', [{ prop: 'write_access', op: 'set is', values: [true] }], 1),
  ],
}

function isPremium(op: Filter['op'], value: Filter['values'][number]): Filter {
  return { prop: 'is_premium', op, values: [value] }
}

function filtered(title: string, filters: readonly Filter[], users: number): Example {
  return { title, question: { event: 'order', filters }, series: [['order', [users], users]] }
}

interface Chapter {
  readonly about: string
  readonly history: readonly SentEvent[]
  readonly examples: readonly Example[]
}

const CHAPTERS: readonly Chapter[] = [
  MODES_OF_FIVE_EVENTS,
  CHANGE,
  GROUPS,
  NAMESAKES,
  LARGEST,
  PARAMETERS,
  OPERATORS,
  SETS,
  ROUNDED,
  FILTERS,
]

function toQuestion({ question: { days, ...question } }: Example): SegmentationQuestion {
  const [start, end] = days ?? ['2026-11-02', '2026-11-02']
  const defaults = { event: '_active', mode: 'uniques', filters: [], groupBy: [] } as const
  return { ...defaults, ...question, from: dayOf(start), to: dayOf(end) }
}

type Answer = Pick<ReturnType<typeof answerSegmentation>, 'yValues'>

/** What the example says of each series. */
function toSeries({ yValues }: Answer, { series }: Example) {
  const saysChange = series.some(([, , , change]) => change !== undefined)
  return yValues.map(({ name, data, key_value, change }) => [name, data, key_value, ...(saysChange ? [change] : [])])
}

describe.each(CHAPTERS)('$about', ({ history, examples }) => {
  let key: string

  beforeAll(async () => {
    const application = await createPlainApplication()
    await deliver(messagesOf(application.applicationId, history, NOW))
    key = application.key
  })

  it.each(examples)('counted by the brute force: $title', (example) => {
    expect(toSeries(answerSegmentation(history, toQuestion(example)), example)).toEqual(example.series)
  })

  it.each(examples)('$title', async (example) => {
    const answer = await (await getJson(segmentationPath(toQuestion(example)), key)).json<Answer>()
    expect(toSeries(answer, example)).toEqual(example.series)
  })
})

describe('a whole answer', () => {
  const { history } = MODES_OF_FIVE_EVENTS
  const question: SegmentationQuestion = {
    event: 'order',
    mode: 'totals',
    filters: [],
    groupBy: [],
    from: dayOf('2026-11-02'),
    to: dayOf('2026-11-04'),
  }
  const answer = {
    xValues: {
      name: 'date',
      data_type: 'time_series',
      data: ['2026-11-02', '2026-11-03', '2026-11-04'],
      length: 3,
      key_value: 3,
      empty: false,
    },
    yValues: [
      {
        name: 'order',
        data_type: 'time_series',
        data: [3, 1, 0],
        length: 3,
        key_value: 4,
        empty: false,
        change: 100,
      },
    ],
    time_zone: 'UTC',
    status_code: 200,
    message: 'Success',
  }

  it('of the brute force', () => {
    expect(answerSegmentation(history, question)).toEqual(answer)
  })

  it('of the service', async () => {
    const { applicationId, key } = await createPlainApplication()
    await deliver(messagesOf(applicationId, history, NOW))
    expect(await (await getJson(segmentationPath(question), key)).json()).toEqual(answer)
  })

  it('is empty without events', async () => {
    const { key } = await createPlainApplication()
    const nothing = { data: [0, 0, 0], length: 3, key_value: 0, empty: true, change: 0 }
    expect(await (await getJson(segmentationPath(question), key)).json()).toEqual({
      ...answer,
      yValues: [{ name: 'order', data_type: 'time_series', ...nothing }],
    })
  })
})
