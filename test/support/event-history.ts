import fc from 'fast-check'

/** What a parameter of an event may hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

type Params = Readonly<Record<string, Json>>

type Word = string | null | undefined
type Flag = boolean | null | undefined

/** What an event says of its user's circumstances; what is undefined or null is not said. */
export interface Context {
  readonly language?: Word
  readonly is_premium?: Flag
  readonly referrer_type?: Word
  readonly os?: Word
  readonly device?: Word
  readonly brand?: Word
  readonly model?: Word
  readonly country?: Word
  readonly city?: Word
  readonly write_access?: Flag
  readonly start_parameter?: Word
  /** What the service finds out, and no event can say. */
  readonly verified?: true | undefined
}

/** A plain event as servers send it to collection. */
export interface SentEvent extends Context {
  /** Events that say the same count once unless their ids differ. */
  readonly event_id: string
  readonly event_type: string
  readonly telegram_id: number
  /** Milliseconds since 1970 UTC. */
  readonly datetime: number
  readonly params?: Params | null | undefined
}

/** A random history, and what it was made of: questions made of the same meet more of it. */
export interface MadeHistory {
  readonly events: readonly SentEvent[]
  /** The names that occur, mostly. */
  readonly names: readonly string[]
  /** The order in which many users walk through these names. */
  readonly path: readonly string[]
  /** Properties that tell many users apart, if any. */
  readonly telling: readonly string[]
  /** Pauses between their steps, in seconds, within a millisecond. */
  readonly windows: readonly number[]
  readonly paramNames: readonly string[]
}

export const DAY_MS = 86_400_000
const TODAY = Math.floor(Date.now() / DAY_MS)

/** The first day on which histories begin; what follows may last until yesterday. */
const FIRST_DAY = TODAY - 40
const LAST_DAY = TODAY - 20
const LATEST = TODAY * DAY_MS - 1

/** Conversion windows in seconds that the steps of users like to end with, to the millisecond. */
export const WINDOWS = [1, 2, 60, 3_600, 86_400, 3 * 86_400]

export const EVENT_NAMES = [
  'view',
  'cart',
  'order',
  'View',
  "o'rder",
  '"cart"',
  '100%',
  'a_b',
  "'; drop table events;--",
  'Заказ',
  '買う 😀',
  '(none)',
  '[TS] Click | Buy, now',
  'a&b=c#d+e%41?',
  '\\',
]

/** Not all of these are numbers. */
export const NUMERIC_TEXTS = [
  '5',
  '05',
  '5.0',
  '1e1',
  '-3',
  '10',
  '9',
  '100',
  '9007199254740993',
  '9007199254740992',
  '5 ',
  '+5',
  '.5',
  '0.5',
  '5.',
  '0x10',
  '-0',
  '',
]

/** Texts whose order differs by UTF-16, by letter and without regard to case. */
const CONFUSABLE_TEXTS = [
  'eng',
  'Eng',
  'ENG',
  'Ünï',
  'U\u0308ni\u0308',
  'ünï',
  '😀',
  '～',
  'Ａ',
  '𐍈',
  'Zebra',
  'zebra',
  'a%b',
  'a_b',
]

/** What a text of an event's context, its shortest ones, and what a text of its parameters may hold. */
const CONTEXT_CHARACTERS = 128
const PARAMETER_CHARACTERS = 1024

/** Texts of the greatest length, two of which differ only at their ends. */
function textsOf(length: number): string[] {
  return ['x'.repeat(length), `${'é'.repeat(length - 1)}!`, `${'é'.repeat(length - 1)}?`]
}

/** Two letters would be a country's code. */
export const TEXTS = [
  ...NUMERIC_TEXTS,
  ...CONFUSABLE_TEXTS,
  'rus',
  'true',
  '(none)',
  '%',
  '_',
  'a',
  'b',
  'c',
  'a, b',
  'b, c',
  "Côte d'Ivoire",
  "'; drop table events;--",
  '"',
  '\\',
  'null',
  ...textsOf(CONTEXT_CHARACTERS),
]

const PARAM_NAMES = [
  'amount',
  'tags',
  'a',
  'b',
  'a.b',
  'a"b',
  'a\\b',
  "it's",
  '$',
  '$.a',
  '[0]',
  '',
  'with, comma',
  'größe 😀',
  'line\nbreak',
  '__proto__',
  'constructor',
  '0',
  '%',
]

const NUMBERS = [0, 1, 5, 9, 10, -3, 2.5, 0.1, 0.5, 1e21, 1e-7, 1.5e300, 2 ** 53, 2 ** 63 * 3, -0.25]

const PARAM_TEXTS = [
  ...TEXTS,
  ...textsOf(PARAMETER_CHARACTERS),
  'N/A',
  'line\nbreak',
  'tab\t"quoted"',
  '[1,2]',
  '{"b":1}',
  '[]',
  '\u2028',
]

/** This many of the pool, in any order. */
function someOf<T>(pool: readonly T[], [minLength, maxLength]: readonly [number, number]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...pool], { minLength, maxLength })
}

const figure: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(...NUMBERS),
  fc.constantFrom<Json>(...NUMERIC_TEXTS),
  fc.integer({ min: -20, max: 20 }),
)

const scalar: fc.Arbitrary<Json> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<Json>(...PARAM_TEXTS) },
  { weight: 3, arbitrary: figure },
  { weight: 2, arbitrary: fc.constantFrom<Json>(true, false, null) },
  { weight: 1, arbitrary: fc.constantFrom<Json>('', '(none)', 'N/A') },
)

const element = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Json>('a', 'b', '5', 5, 1, true, 'true', null, '(none)', '') },
  { weight: 2, arbitrary: scalar },
  { weight: 1, arbitrary: fc.constantFrom<Json>([], [1, 'a'], { a: 1 }, ['a', ['b']]) },
)

const list = fc.oneof(
  { weight: 1, arbitrary: fc.array(element, { maxLength: 2 }) },
  { weight: 2, arbitrary: fc.array(element, { minLength: 2, maxLength: 4 }) },
)

const object = fc
  .array(fc.tuple(fc.constantFrom('b', 'a', '1', '__proto__', 'c d'), element), { maxLength: 3 })
  .map((entries) => Object.fromEntries(entries) as Json)

const paramValue: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 3, arbitrary: list },
  { weight: 1, arbitrary: object },
)

/** Values of all kinds, or mostly of one kind. */
const paramValues = fc.oneof(
  { weight: 2, arbitrary: severalOf(paramValue) },
  { weight: 1, arbitrary: severalOf(figure) },
  { weight: 1, arbitrary: severalOf(list) },
)

function severalOf(value: fc.Arbitrary<Json>): fc.Arbitrary<Json[]> {
  return fc.array(value, { minLength: 3, maxLength: 6 })
}

const words = fc
  .oneof(
    { weight: 3, arbitrary: someOf(TEXTS, [2, 5]) },
    { weight: 2, arbitrary: someOf(NUMERIC_TEXTS, [3, 6]) },
    { weight: 1, arbitrary: someOf(CONFUSABLE_TEXTS, [3, 6]) },
  )
  .map((some): Word[] => [...some, undefined])

/** What the events of one history choose from: few things, so that they have something in common. */
interface Palette {
  readonly names: readonly string[]
  readonly path: readonly string[]
  readonly windows: readonly number[]
  readonly moments: readonly number[]
  readonly words: readonly Word[]
  readonly hasNamesakes: boolean
  readonly paramNames: readonly string[]
  readonly paramValues: readonly Json[]
}

/** When something starts to happen on a day: at its border, to the millisecond, above all. */
const timeOfDay = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(-1, 0, 1) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 86_399 }).map((seconds) => seconds * 1000) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: DAY_MS - 1 }) },
)

/** Close to each other mostly, so that one period precedes the other. */
const moments = fc
  .tuple(
    fc.integer({ min: FIRST_DAY, max: LAST_DAY }),
    fc.array(fc.tuple(fc.constantFrom(0, 0, 1, 2, 3, 7), timeOfDay), { minLength: 1, maxLength: 4 }),
  )
  .map(([first, starts]) => starts.map(([days, time]) => Math.min(first + days, LAST_DAY) * DAY_MS + time))

const palette: fc.Arbitrary<Palette> = someOf(EVENT_NAMES, [3, 5]).chain((names) =>
  fc.record({
    names: fc.constant(names),
    path: pathOf(names),
    windows: someOf(WINDOWS, [1, 2]),
    moments,
    words,
    hasNamesakes: oneIn(6),
    paramNames: someOf(PARAM_NAMES, [2, 4]),
    paramValues,
  }),
)

/** Each name once, or any names, as many as a funnel can have. */
function pathOf(names: readonly string[]): fc.Arbitrary<readonly string[]> {
  const name = fc.constantFrom(...names)
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(names) },
    { weight: 2, arbitrary: fc.array(name, { minLength: 2, maxLength: 10, size: 'max' }) },
    { weight: 1, arbitrary: fc.array(name, { minLength: 10, maxLength: 10 }) },
  )
}

/** Groups by system and brand that differ and yet have the same name. */
const NAMESAKES: readonly Context[] = [
  { os: 'a', brand: 'b, c' },
  { os: 'a, b', brand: 'c' },
]

function contextOf({ words, hasNamesakes }: Palette): fc.Arbitrary<Context> {
  const word = fc.constantFrom(...words)
  const flag = fc.constantFrom(true, false, undefined)
  const anything: fc.Arbitrary<Context> = fc.record({
    language: fc.oneof({ weight: 9, arbitrary: word }, { weight: 1, arbitrary: fc.constantFrom(null, '', 'N/A') }),
    is_premium: flag,
    referrer_type: word,
    os: word,
    device: word,
    brand: word,
    model: word,
    country: word,
    city: word,
    write_access: flag,
    start_parameter: word,
    verified: fc.constantFrom(true as const, undefined, undefined),
  })
  const namesake = hasNamesakes ? fc.constantFrom(...NAMESAKES) : fc.constant({})
  return fc.tuple(anything, namesake).map((parts) => Object.assign({}, ...parts))
}

function paramsOf({ paramNames, paramValues }: Palette): fc.Arbitrary<Params> {
  const value = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...paramValues) },
    { weight: 1, arbitrary: paramValue },
  )
  return fc
    .array(fc.tuple(fc.constantFrom(...paramNames), value), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries))
}

/** Changes of a few of these properties: what a user's next event says otherwise. */
function changesOf<T extends object>(whole: fc.Arbitrary<T>): fc.Arbitrary<Partial<T>> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(whole, fc.nat())
        .map(([all, place]) => Object.fromEntries(Object.entries(all).filter((_, index) => (index + place) % 3 === 0))),
    },
  ) as fc.Arbitrary<Partial<T>>
}

type Doing = Pick<SentEvent, 'event_type' | 'datetime'>

/** Mostly next to nothing, else about as much as a conversion window. */
function pauseOf({ windows }: Palette): fc.Arbitrary<number> {
  const window = fc
    .tuple(fc.constantFrom(...windows), fc.constantFrom(-1, 0, 0, 0, 1, 1))
    .map(([seconds, over]) => seconds * 1000 + over)
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(0, 0, 0, 1, 500) }, { weight: 1, arbitrary: window })
}

/** A user's way along the path, from its beginning; now and then a step is left out. */
function walkOf(palette: Palette, [minLength, maxLength]: readonly [number, number]): fc.Arbitrary<Doing[]> {
  const { path, moments } = palette
  const stride = fc.record({ pause: pauseOf(palette), isSkipped: oneIn(30) })
  const strides = fc.oneof(
    { weight: 1, arbitrary: fc.array(stride, { minLength, maxLength, size: 'max' }) },
    { weight: 1, arbitrary: fc.array(stride, { minLength: maxLength, maxLength }) },
  )
  return fc.tuple(fc.constantFrom(...moments), strides).map(([start, taken]) => {
    let datetime = start
    return taken.slice(0, path.length).flatMap((step, index) => {
      datetime += index === 0 ? 0 : step.pause
      return step.isSkipped ? [] : [{ event_type: path[index] as string, datetime: Math.min(datetime, LATEST) }]
    })
  })
}

function strayOf(palette: Palette): fc.Arbitrary<Doing> {
  const { names, moments } = palette
  const datetime = fc
    .tuple(fc.constantFrom(...moments), pauseOf(palette), fc.constantFrom(1, 1, -1))
    .map(([start, distance, direction]) => start + distance * direction)
  return fc.record({ event_type: fc.constantFrom(...names), datetime })
}

type Told = Omit<SentEvent, 'event_id' | 'telegram_id'>

/** Everything that one user did, in the order in which it is sent: any. */
function userOf(palette: Palette, longest: number): fc.Arbitrary<Told[]> {
  const doings = fc
    .tuple(
      walkOf(palette, [2, longest]),
      fc.oneof(fc.constant([]), walkOf(palette, [1, Math.min(6, longest)])),
      fc.array(strayOf(palette), { maxLength: 2 }),
    )
    .map((parts) => parts.flat())
  const [context, params] = [contextOf(palette), paramsOf(palette)]
  const base = fc.record({ context, params })
  const telling = fc.record({ context: changesOf(context), params: changesOf(params), isBare: oneIn(12) })
  return fc
    .tuple(doings, base, fc.array(telling, { minLength: 18, maxLength: 18 }), oneIn(2))
    .map(([done, said, tellings, isBackwards]) => {
      const told = done.map((doing, place): Told => {
        const { context, params, isBare } = tellings[place % tellings.length] as (typeof tellings)[number]
        const all = { ...said.params, ...params } as Params
        return { ...doing, ...said.context, ...context, ...(!isBare && { params: all }) }
      })
      return isBackwards ? told.reverse() : told
    })
}

function oneIn(times: number): fc.Arbitrary<boolean> {
  return fc.integer({ min: 1, max: times }).map((chance) => chance === times)
}

const FEW_USERS = [2 ** 53 - 1, 1, 7_234_567_890, 2, 10, 3]

/** Few users who do much. */
function fewOf(palette: Palette): fc.Arbitrary<SentEvent[]> {
  const users = fc.array(userOf(palette, 10), { minLength: 1, maxLength: FEW_USERS.length, size: 'max' })
  return users.map((all) => toEvents(all.map((own, place) => ({ id: FEW_USERS[place] as number, own }))))
}

/** More users than an answer has groups, who do little, each in a city of their own. */
function crowdOf(palette: Palette): fc.Arbitrary<SentEvent[]> {
  const users = fc.array(userOf(palette, 3), { minLength: 22, maxLength: 28 })
  return users.map((all) =>
    toEvents(
      all.map((own, place) => ({ id: 100 + place, own: own.map((told) => ({ ...told, city: `City ${place}` })) })),
    ),
  )
}

interface User {
  readonly id: number
  readonly own: readonly Told[]
}

function toEvents(users: readonly User[]): SentEvent[] {
  return users
    .flatMap(({ id, own }) => own.map((told) => ({ ...told, telegram_id: id })))
    .map((event, place) => ({ event_id: `event ${place}`, ...event }))
}

/** At least one event: no question can be made up about nothing. */
export const madeHistory: fc.Arbitrary<MadeHistory> = palette.chain(historyOf).filter(({ events }) => events.length > 0)

/** One event of each user and instant: nobody outside knows the keys of events, which say what came first of one instant. */
export function withoutTies(history: MadeHistory): MadeHistory {
  const byMoment = new Map(history.events.map((event) => [`${event.telegram_id} ${event.datetime}`, event]))
  return { ...history, events: [...byMoment.values()] }
}

function historyOf(chosen: Palette): fc.Arbitrary<MadeHistory> {
  const { names, path, paramNames, windows } = chosen
  const namesakes = chosen.hasNamesakes ? ['os', 'brand'] : []
  const made = (events: SentEvent[], telling: readonly string[]) => {
    return { events, names, path, paramNames, telling, windows }
  }
  return fc.oneof(
    { weight: 6, arbitrary: fewOf(chosen).map((events) => made(events, namesakes)) },
    { weight: 1, arbitrary: crowdOf(chosen).map((events) => made(events, [...namesakes, 'city'])) },
  )
}
