/**
 * The table from the specification to the tests: every row of its tables and every item of its lists, section by
 * section, with the tests that prove it. `rows.test.ts` holds it to docs/specification.md, `table-reporter.ts` to the tests
 * there are.
 */

/** A file of this folder and the title of a test in it, with those of the groups it stands in. */
interface Test {
  readonly file: string
  readonly title: string
}

/** Tests, or why nothing can be tested. */
type Proof = readonly Test[] | string

/** By the row's first cell, or the first words of the item. */
export type Rows = Readonly<Record<string, Proof>>

/** The test files, each as a function from titles to tests. */
function testsIn(name: string) {
  return (...titles: string[]): Test[] => titles.map((title) => ({ file: `${name}.test.ts`, title }))
}

const activeUsers = testsIn('active-users')
const aggregated = testsIn('aggregated')
const answers = testsIn('answers')
const browserClient = testsIn('browser-client')
const clientConfig = testsIn('client-config')
const collection = testsIn('collection')
const document = testsIn('document')
const eventSegmentation = testsIn('event-segmentation')
const filters = testsIn('filters')
const funnels = testsIn('funnels')
const growthTrend = testsIn('growth-trend')
const keys = testsIn('keys')
const lateEvents = testsIn('late-events')
const period = testsIn('period')
const premiumDistribution = testsIn('premium-distribution')
const protocol = testsIn('protocol')
const registration = testsIn('registration')
const series = testsIn('series')
const users = testsIn('users')

const REGISTER = 'POST /applications/register'
const TIMESERIES = 'GET /monthly-active-users/timeseries/{handle}'
const GROWTH_TREND = 'GET /monthly-active-users/growth-trend'
const USERS = 'GET /users/segmentation'
const AGGREGATED = 'GET /users/segmentation/aggregated'
const FUNNELS = 'GET /funnels'
const EVENTS = 'GET /events/segmentation'
const PREMIUM = 'GET /enterprise/{handle}/premium-timeseries'
const HANDLES = 'GET /enterprise/available-handles'
const CONFIG = 'GET /v1/client/config'

const WITH_PERIOD = ['/users/segmentation/aggregated', '/funnels', '/events/segmentation']
const UNDER_X_API_KEY = [REGISTER, TIMESERIES, GROWTH_TREND, USERS, AGGREGATED, FUNNELS, EVENTS, PREMIUM, HANDLES]

function keyOf(operation: string): Test[] {
  const titles = ['takes a full key', 'asks for a key', 'takes the key in its own header only']
  return keys(...titles.map((title) => `${operation} > ${title}`))
}

function envelopeOf(operation: string): Test[] {
  return answers(`${operation} > says status_code 200 and Success`)
}

function invalid(operation: string): Test[] {
  return answers(`${operation} > answers what fails validation with 422 and detail`)
}

const ALL_OF_TIMESERIES = 'has every field, and nothing else'
const ALL_OF_GROWTH_TREND = 'has every field of an application, and nothing else'
const ALL_OF_PREMIUM = 'the premium distribution > has every field, and nothing else'
const ALL_OF_CONFIG = 'has every field, at its default'

function userField(field: string): Test[] {
  return users(`an answer > has ${field} of its type for every user`, 'an answer > has every field of a user')
}

function nullableUserField(field: string): Test[] {
  return [...userField(field), ...users('an answer > has null for what nobody said')]
}

function growthField(): Test[] {
  return [...growthTrend(ALL_OF_GROWTH_TREND), ...lateEvents('the overview tells the growth')]
}

function growthChange(): Test[] {
  return [...growthField(), ...growthTrend('tells the change in percent, not rounded')]
}

function seriesField(title: string): Test[] {
  const only = 'are one object and an array of objects, with these fields and no other'
  return WITH_PERIOD.flatMap((path) => series(`the series of ${path} > ${title}`, `the series of ${path} > ${only}`))
}

function bounds(field: string, ...characters: string[]): Test[] {
  const [shortest, longest, tooLong] = characters.map((text) => `${text} character${text === '1' ? '' : 's'}`)
  return registration(
    `the bounds of a registration > take a ${field} of ${shortest}`,
    `the bounds of a registration > take a ${field} of ${longest}`,
    `the bounds of a registration > refuse a ${field} of ${tooLong}`,
  )
}

function required(field: string): Test[] {
  return registration(
    `a body that is no registration > names a missing ${field}`,
    `the bounds of a registration > refuse the ${field} ""`,
    'a body that is no registration > names every field that is no text (null)',
    'a body that is no registration > names every field that is no text (1)',
  )
}

const HANDLE_BOUNDS = registration(
  'a handle > may be two characters long',
  'a handle > may be 100 characters long, with digits and underscores',
  'the bounds of a registration > refuse the handle "@"',
  'the bounds of a registration > refuse a handle of 101 characters',
)
const DESCRIPTION_BOUNDS = bounds('description', '0', '500', '501')

/** Page sizes and the like: which values are taken, which are not. */
function range(group: string, { takes, refuses }: { takes: readonly string[]; refuses: readonly string[] }): string[] {
  return [...takes, ...refuses].map((title) => `${group} > ${title}`)
}

const DAYS = activeUsers(
  ...range('days', { takes: ['may be 1', 'may be 30'], refuses: ['may not be 0', 'may not be -1'] }),
  'days > is no number as "ten"',
)
const LIMIT = ['takes limit=1', 'takes limit=1000']
const OUT_OF_LIMIT = ['refuses limit=0', 'refuses limit=-1']
const GROWTH_LIMIT = growthTrend(
  ...range('paging', { takes: LIMIT, refuses: OUT_OF_LIMIT }),
  'paging > gives as many as asked for, at most',
)
const GROWTH_OFFSET = growthTrend(
  ...range('paging', { takes: ['takes offset=0'], refuses: ['refuses offset=-1'] }),
  'paging > skips as many as asked for',
)
const USERS_LIMIT = users(
  ...range('paging', { takes: LIMIT, refuses: OUT_OF_LIMIT }),
  'an answer > has the envelope, the page and the users',
  'paging > neither repeats nor skips a user (by total_events)',
)
const USERS_OFFSET = users(
  ...range('paging', { takes: ['takes offset=0'], refuses: ['refuses offset=-1'] }),
  'an answer > has the envelope, the page and the users',
  'paging > neither repeats nor skips a user (by total_events)',
)
const VALUES_LIMIT = aggregated(
  ...range('returned_values_limit', {
    takes: ['may be 1', 'may be 20', 'may be 100'],
    refuses: ['may not be 0', 'may not be 101'],
  }),
  'returned_values_limit > is 20 where nothing else is asked',
)
const AT_LEAST_TWO_EVENTS = funnels(
  'events > are at least 2 (a)',
  'events > are at least 2 (["a"])',
  'events > are at least 2 ([])',
  'events > must be there',
)

const SORT_KEYS = [
  'is_premium',
  'curr_balance',
  'curr_volume',
  'total_events',
  'total_sessions',
  'language',
  'country',
  'city',
  'provider',
]
const AGGREGATION_PARAMS = ['language', 'is_premium', 'os', 'brand', 'country', 'start_parameter']
const MODES = [
  'mode > uniques counts distinct users a day; in the headline each once',
  'mode > totals counts events',
  'mode > average counts events per user: in all 4 of 2',
  'mode > pct_dau counts percent of the active users: in all 2 of 3, before it 1 of 1',
]

function periods(...titles: string[]): Test[] {
  return period(...WITH_PERIOD.flatMap((path) => titles.map((title) => `the period of ${path} > ${title}`)))
}

function periodOf(path: string): Test[] {
  return period(
    `the period of ${path} > has both its days, from the first moment to the last`,
    `the period of ${path} > starts 29 days before its end where no start is asked`,
    `the period of ${path} > ends today where no end is asked`,
    `the period of ${path} > has no day "20250230"`,
  )
}

function listForms(path: string): Test[] {
  return filters(
    `${path} > filters > may be an array in one parameter, joined by AND`,
    `${path} > filters > may be the parameter repeated, each an object or an array`,
    `${path} > filters > point at the item and list what is allowed`,
    `${path} > group_by > may be repeated, divided by a comma, or a JSON array`,
    `${path} > group_by > points at what is no property and lists what is one`,
  )
}

const OPERATORS = [
  'is" (0)',
  'is not" (4)',
  'contains" (7)',
  'does not contain" (10)',
  'greater" (12)',
  'greater or equal" (15)',
  'less" (16)',
  'less or equal" (18)',
  'set is" (19)',
  'set is not" (22)',
]
const PROPERTIES = [
  'is_premium',
  'language',
  'referrer_type',
  'os',
  'device',
  'brand',
  'model',
  'country',
  'city',
  'write_access',
  'start_parameter',
  'utm',
  'params.paid',
]

const NOTHING_IS_PROMISED = 'Nothing is promised, and the service has none.'
const READ_AND_COUNTED = users('an answer > has every field of a user', 'filters > that are left out restrict nothing')

export const SPECIFICATION: Readonly<Record<string, Rows>> = {
  'What the service does': {
    'Register an application': registration('a registration > answers HTTP 200 with status_code 201'),
    'Read the monthly-active-user timeseries': [
      ...lateEvents('late events count on their own days, in the 30 days that begin with them'),
      ...lateEvents('the overview tells the growth'),
    ],
    "List users of the caller's own application": [
      ...users(
        'filters > {"language":"en"}',
        'sorting > goes by curr_balance, descending, where nothing else is asked',
      ),
      ...users('paging > neither repeats nor skips a user (by total_events)'),
    ],
    'Read user counts aggregated by one property': aggregated(
      'an answer > counts each user once, by the value on the latest event in the period',
    ),
    'Read event segmentation and funnel analysis': [
      ...eventSegmentation('mode > is uniques where nothing else is asked'),
      ...funnels('an answer > has the names of the steps, and the users who reached each'),
    ],
    'Read the premium / non-premium user distribution': [
      ...lateEvents('premium is what the last event of a day said'),
      ...premiumDistribution("the available handles > are the account's own, without an at-sign, in order"),
    ],
    'Read the client configuration': clientConfig(ALL_OF_CONFIG),
    'All responses are JSON': [
      ...[TIMESERIES, GROWTH_TREND, USERS, AGGREGATED, FUNNELS, EVENTS, PREMIUM, HANDLES, CONFIG].flatMap((operation) =>
        answers(`${operation} > is JSON, whether right or wrong`),
      ),
      ...registration('a registration > answers HTTP 200 with status_code 201'),
      ...protocol('a body for /applications/register > may not be sent as text/plain'),
    ],
  },

  'Common response envelope fields': {
    'Most successful responses contain `status_code`': [
      ...[TIMESERIES, GROWTH_TREND, USERS, AGGREGATED, FUNNELS, EVENTS, PREMIUM].flatMap(envelopeOf),
      ...answers('status_code is an integer and message a string, says the document'),
      ...collection('a body > holds one event of either shape'),
    ],
  },

  UserSegmentationEntry: {
    telegram_id: userField('telegram_id'),
    language: nullableUserField('language'),
    utm: nullableUserField('utm'),
    is_premium: [
      ...userField('is_premium'),
      ...users('an answer > does not take anybody for premium who said nothing of it'),
    ],
    first_active_at: userField('first_active_at'),
    country: nullableUserField('country'),
    city: nullableUserField('city'),
    total_events: userField('total_events'),
    total_sessions: userField('total_sessions'),
    username: nullableUserField('username'),
    firstname: nullableUserField('firstname'),
    lastname: nullableUserField('lastname'),
    last_active_at: userField('last_active_at'),
    device: nullableUserField('device'),
    brand: nullableUserField('brand'),
    model: nullableUserField('model'),
  },

  UserSegmentationResponse: {
    status_code: [...envelopeOf(USERS), ...users('an answer > has the envelope, the page and the users')],
    message: [...envelopeOf(USERS), ...users('an answer > has the envelope, the page and the users')],
    limit: users('an answer > has the envelope, the page and the users', 'paging > takes limit=1000'),
    offset: users('an answer > has the envelope, the page and the users', 'paging > takes offset=9007199254740991'),
    data: users('an answer > has every field of a user', 'an answer > is empty where no user fits'),
  },

  'Application registration body': {
    name: [...required('name'), ...bounds('name', '1', '100', '101')],
    handle: [
      ...required('handle'),
      ...HANDLE_BOUNDS,
      ...registration('a handle > without its at-sign is refused', 'a handle > with two is refused'),
    ],
    link: [...required('link'), ...bounds('link', '6', '2083', '2084')],
    description: [...DESCRIPTION_BOUNDS, ...registration('a registration > does without a description')],
    photo_url: [...required('photo_url'), ...bounds('photo_url', '8', '2083', '2084')],
  },

  'Monthly-active-users timeseries response': {
    name: activeUsers(ALL_OF_TIMESERIES),
    handle: activeUsers(ALL_OF_TIMESERIES, 'a handle > keeps the letter case in which it was registered'),
    link: activeUsers(ALL_OF_TIMESERIES),
    timeseries_data: [
      ...activeUsers('has one count a day, oldest first, for 30 days where nothing else is asked'),
      ...lateEvents('late events count on their own days, in the 30 days that begin with them'),
    ],
    status_code: [...envelopeOf(TIMESERIES), ...activeUsers(ALL_OF_TIMESERIES)],
    message: [...envelopeOf(TIMESERIES), ...activeUsers(ALL_OF_TIMESERIES)],
  },

  'Growth-trend entry': {
    handle: growthField(),
    link: growthField(),
    name: growthField(),
    profile_photo: growthField(),
    today_users: growthField(),
    yesterday_users: growthField(),
    week_ago_users: growthField(),
    month_ago_users: growthField(),
    yesterday_change: growthChange(),
    week_ago_change: growthChange(),
    month_ago_change: growthChange(),
    avg_daily_users_gained: growthChange(),
    'The growth-trend response holds `data`': [...growthTrend('has the envelope'), ...envelopeOf(GROWTH_TREND)],
  },

  'Premium distribution response': {
    handle: premiumDistribution(ALL_OF_PREMIUM),
    data: [
      ...premiumDistribution(ALL_OF_PREMIUM),
      ...premiumDistribution('the premium distribution > has the midnights of the last 60 days, oldest first'),
      ...lateEvents('premium is what the last event of a day said'),
    ],
    status_code: [...envelopeOf(PREMIUM), ...premiumDistribution(ALL_OF_PREMIUM)],
    message: [...envelopeOf(PREMIUM), ...premiumDistribution(ALL_OF_PREMIUM)],
  },

  'Series object': {
    'A response carries `xValues`': seriesField('have a name'),
    name: seriesField('have a name'),
    data_type: seriesField('have the data_type time_series'),
    data: seriesField('have data: strings in xValues, numbers in yValues'),
    length: seriesField('have a length, that of data'),
    key_value: [
      ...seriesField('have a key_value: the number of labels, and the users of the period'),
      ...aggregated('returned_values_limit > cuts neither the number of all values nor that of all users'),
      ...eventSegmentation(...MODES),
    ],
    empty: seriesField('are empty where no item differs from zero'),
    change: [
      ...seriesField('have in yValues alone the change against the preceding period, in whole percent'),
      ...eventSegmentation('change > is in whole percent, halves rounded away from zero'),
      ...eventSegmentation('change > is 100 from zero to something, 0 from zero to zero, -100 from something to zero'),
    ],
    'Allowed values of `data_type` other than': seriesField('have the data_type time_series'),
    'Meaning and computation of `key_value`, `empty` and `change`': [
      ...seriesField('are empty where no item differs from zero'),
      ...aggregated('an answer > compares all users with the preceding period'),
      ...funnels('an answer > compares those who completed with the preceding period'),
    ],
  },

  'Aggregated segmentation response': {
    '`selected_property` (string) and `data`': aggregated(
      'an answer > names the property that was selected',
      'an answer > has its series in data, and nothing else',
    ),
  },

  'Application client configuration': {
    public_key: clientConfig(
      ALL_OF_CONFIG,
      'has a public key that every client can read: RSA-2048 as PKCS#1 PEM, with real line feeds',
    ),
    auto_capture: clientConfig(ALL_OF_CONFIG),
    auto_capture_tags: clientConfig(ALL_OF_CONFIG),
    auto_capture_classes: clientConfig(ALL_OF_CONFIG),
    auto_capture_mini_app_events: clientConfig(
      ALL_OF_CONFIG,
      'the values of > auto_capture_mini_app_events are these, says the document',
    ),
    auto_capture_commands: clientConfig(ALL_OF_CONFIG),
    auto_capture_messages: clientConfig(ALL_OF_CONFIG),
    auto_capture_telegram: clientConfig(ALL_OF_CONFIG),
    auto_capture_telegram_events: clientConfig(
      ALL_OF_CONFIG,
      'the values of > auto_capture_telegram_events are these, says the document',
    ),
    advanced_tracking_features: clientConfig(
      ALL_OF_CONFIG,
      'the values of > advanced_tracking_features are these, says the document',
    ),
    host: [
      ...clientConfig(ALL_OF_CONFIG),
      ...browserClient('a browser client fetches its configuration, seals an event with it, and the event shows'),
    ],
    'Three enumerations are attached to this configuration': clientConfig(
      'the values of > auto_capture_mini_app_events are these, says the document',
      'the values of > auto_capture_telegram_events are these, says the document',
      'the values of > advanced_tracking_features are these, says the document',
    ),
  },

  'Validation error': {
    '`HTTPValidationError` has `detail`': [REGISTER, ...UNDER_X_API_KEY.slice(1), CONFIG].flatMap(invalid),
  },

  'States and transitions': {
    'States and transitions: not shown': 'No resource has a life cycle.',
  },

  Endpoints: {
    'All operations are HTTP GET except registration': [
      ...[TIMESERIES, GROWTH_TREND, USERS, AGGREGATED, FUNNELS, EVENTS, PREMIUM, HANDLES, CONFIG].flatMap((operation) =>
        answers(`${operation} > is a GET`),
      ),
      ...protocol('an address > answers GET /applications/register with 405 and what it takes'),
      ...document('the document > holds every operation of the specification'),
    ],
    'POST /applications/register': keys(`${REGISTER} > takes a full key`),
    'GET /monthly-active-users/timeseries/{handle}': keys(`${TIMESERIES} > takes a full key`),
    'GET /monthly-active-users/growth-trend': keys(`${GROWTH_TREND} > takes a full key`),
    'GET /users/segmentation': keys(`${USERS} > takes a full key`),
    'GET /users/segmentation/aggregated': keys(`${AGGREGATED} > takes a full key`),
    'GET /funnels': keys(`${FUNNELS} > takes a full key`),
    'GET /events/segmentation': keys(`${EVENTS} > takes a full key`),
    'GET /enterprise/{handle}/premium-timeseries': keys(`${PREMIUM} > takes a full key`),
    'GET /enterprise/available-handles': keys(`${HANDLES} > takes a full key`),
    'GET /v1/client/config': keys(`${CONFIG} > takes a full key`),
  },

  '1. POST /applications/register': {
    'Headers: `x-api-key` (required), `Content-Type: application/json`': [
      ...keyOf(REGISTER),
      ...protocol(
        'a body for /applications/register > may not be sent as nothing in particular',
        'a body for /applications/register > may not be sent as text/plain',
      ),
    ],
    'Body: application registration body': registration(
      'a registration > answers HTTP 200 with status_code 201',
      'a body that is no registration > names all that is missing at once',
    ),
    'Response body: `status_code` (integer) and `message`': registration(
      'a registration > answers HTTP 200 with status_code 201',
    ),
    'The response sample shows `status_code` 201': registration(
      'a registration > answers HTTP 200 with status_code 201',
    ),
    'A body violating the bounds yields 422': [
      ...invalid(REGISTER),
      ...registration('a body that is no registration > names faults of different kinds together'),
    ],
  },

  '2. GET /monthly-active-users/timeseries/{handle}': {
    'Path: `handle`': activeUsers(ALL_OF_TIMESERIES, 'a handle > that nobody has is not found (0)'),
    'Query: `days` (integer, minimum 1)': DAYS,
    'Header: `x-api-key`': keyOf(TIMESERIES),
    'Response: monthly-active-users timeseries response': activeUsers(ALL_OF_TIMESERIES),
    'Default of `days` when omitted': activeUsers(
      'has one count a day, oldest first, for 30 days where nothing else is asked',
    ),
  },

  '3. GET /monthly-active-users/growth-trend': {
    'Query: `limit` (integer, minimum 1): items to return; `offset`': [
      ...GROWTH_LIMIT,
      ...GROWTH_OFFSET,
      ...growthTrend('paging > takes "ten" for no number, and names both faults at once'),
    ],
    'Header: `x-api-key`': keyOf(GROWTH_TREND),
    'Response: `data`': growthTrend('has the envelope', ALL_OF_GROWTH_TREND),
    'Defaults of `limit` and `offset` here': growthTrend('paging > gives as many as asked for, at most'),
    'Unit of the `*_change` fields': growthTrend('tells the change in percent, not rounded'),
  },

  '4. GET /users/segmentation': {
    'Header: `x-api-key`': keyOf(USERS),
    'Query parameters (all optional)': users('filters > that are left out restrict nothing'),
    language: users('filters > {"language":"en"}', 'filters > {"language":"EN"}'),
    utm: users('filters > {"utm":"later"}', 'an answer > is empty where no user fits'),
    is_premium: users(
      'filters > {"is_premium":"true"}',
      'filters > {"is_premium":"false"}',
      'filters > do not take "maybe" for a boolean',
    ),
    country: users('filters > {"country":"Germany"}', 'filters > {"country":"de"}'),
    city: users('filters > {"city":"Austin"}', 'filters > {"language":"de","city":"Austin"}'),
    sort_by: users(
      ...SORT_KEYS.map((key) => `sorting > by ${key} puts missing values last, and ties in order of their ids`),
      'sorting > goes by curr_balance, descending, where nothing else is asked',
      'sorting > takes no "telegram_id"',
    ),
    sort_order: users(
      'sorting > by total_events puts missing values last, and ties in order of their ids',
      'sorting > goes by curr_balance, descending, where nothing else is asked',
      'sorting > goes in no order "up"',
    ),
    limit: USERS_LIMIT,
    offset: USERS_OFFSET,
    'Response: UserSegmentationResponse. Omitted filters': READ_AND_COUNTED,
  },

  '5. GET /users/segmentation/aggregated': {
    'Header: `x-api-key`': keyOf(AGGREGATED),
    'Query:': aggregated('names all faults of a query at once'),
    aggregation_param: aggregated(
      ...AGGREGATION_PARAMS.map((name) => `aggregation_param > counts by ${name}, most users first, then by value`),
      'aggregation_param > is the language where nothing else is asked',
      'aggregation_param > takes no "city"',
    ),
    returned_values_limit: VALUES_LIMIT,
    'start date': periodOf('/users/segmentation/aggregated'),
    'end date': periodOf('/users/segmentation/aggregated'),
    'Response: aggregated segmentation response': aggregated('an answer > has its series in data, and nothing else'),
  },

  '6. GET /funnels': {
    'Header: `x-api-key`': keyOf(FUNNELS),
    'Query: `events`': [
      ...AT_LEAST_TWO_EVENTS,
      ...funnels(
        'events > may be repeated, or one JSON array',
        "filters apply to every step's event",
        'group_by > counts a user in one group: that of the latest entry that leads to the furthest step',
      ),
      ...listForms('/funnels'),
      ...periodOf('/funnels'),
    ],
    'Response: `xValues` and `yValues` series objects': funnels(
      'an answer > has xValues, yValues and steps, and nothing else',
      'an answer > has the names of the steps, and the users who reached each',
    ),
  },

  '7. GET /events/segmentation': {
    'Header: `x-api-key`': keyOf(EVENTS),
    'Query: `event` (string), `mode`, `filters`': [
      ...eventSegmentation('event > must be there', 'event > is found by its whole name only', ...MODES),
      ...eventSegmentation(
        'filters narrow the events, but not the active users that pct_dau is a part of',
        'group_by > gives a series for each value that occurs, largest headline first, then by name',
      ),
      ...listForms('/events/segmentation'),
      ...periodOf('/events/segmentation'),
    ],
    'Response: `xValues` and `yValues` series objects': eventSegmentation(
      'an answer > has xValues and yValues, and nothing else',
      'an answer > has the days of the period, oldest first, and a series named after the event',
    ),
  },

  '8. GET /enterprise/{handle}/premium-timeseries': {
    'Path: `handle` (string; without the at-sign). Header': [
      ...premiumDistribution(ALL_OF_PREMIUM, 'the premium distribution > does not find a handle that nobody has (0)'),
      ...keyOf(PREMIUM),
    ],
    'Covers the last 60 days': premiumDistribution(
      'the premium distribution > has the midnights of the last 60 days, oldest first',
    ),
    'Response: premium distribution response': premiumDistribution(ALL_OF_PREMIUM),
  },

  '9. GET /enterprise/available-handles': {
    'Header: `x-api-key`. No parameters': keyOf(HANDLES),
    'Response: JSON array of strings (handles)': premiumDistribution(
      "the available handles > are the account's own, without an at-sign, in order",
      'the available handles > have a new one at once, in the letter case in which it was registered',
    ),
  },

  '10. GET /v1/client/config': {
    'Header: `Authorization` carrying the API key (not `x-api-key`)': [
      ...keyOf(CONFIG),
      ...clientConfig('does not take the key in x-api-key'),
    ],
    'Response: application client configuration': clientConfig(ALL_OF_CONFIG),
  },

  'Gaps common to several endpoints': {
    'Names of the start-date and end-date query parameters': periods(
      'starts 29 days before its end where no start is asked',
      'ends today where no end is asked',
      'is the last 30 days where nothing is asked',
      'has 366 days at most',
      'does not end before it starts',
    ),
    'Encoding and allowed values of `filters`, `group_by` and `mode`': [
      ...filters(...OPERATORS.map((operator) => `an operator > may be "${operator}`)),
      ...filters(...PROPERTIES.map((property) => `a property > may be ${property}`)),
      ...listForms('/funnels'),
      ...listForms('/events/segmentation'),
      ...eventSegmentation('mode > may not be "sum"', 'event > that never occurred is no error: its series is empty'),
    ],
  },

  Authentication: {
    'Every operation requires an API key': [...UNDER_X_API_KEY, CONFIG].flatMap((operation) =>
      keys(`${operation} > asks for a key`, `${operation} > does not know an unknown key`),
    ),
    'Operations 1 to 9 take the key in the request header `x-api-key`': UNDER_X_API_KEY.flatMap(keyOf),
    'Operation 10 (`/v1/client/config`) takes the key in the request header `Authorization`': [
      ...keyOf(CONFIG),
      ...clientConfig('takes the key in Authorization after ""', 'takes the key in Authorization after "Bearer "'),
    ],
    'Which plan or role may call the enterprise endpoints': premiumDistribution(
      'with the plan "standard" neither opens, not even for an application of one\'s own',
    ),
  },

  Events: {
    'Mini-app event types': clientConfig('the values of > auto_capture_mini_app_events are these, says the document'),
    'Messenger event types': clientConfig('the values of > auto_capture_telegram_events are these, says the document'),
    'Advanced tracking features': clientConfig(
      'the values of > advanced_tracking_features are these, says the document',
    ),
    'The configuration field `host` gives the address': [
      ...browserClient('a browser client fetches its configuration, seals an event with it, and the event shows'),
      ...collection('a body > holds one event of either shape', 'a body > holds up to 500 events, of both shapes'),
    ],
    'Outbound notifications from the service to the caller': NOTHING_IS_PROMISED,
  },

  Errors: {
    'A request whose parameters or body fail validation receives HTTP 422': [...UNDER_X_API_KEY, CONFIG].flatMap(
      (operation) => [
        ...invalid(operation),
        ...document(
          `${operation} > has a tag that is declared, and tells what it answers when something is wrong`,
          `${operation} > has an example for every answer, and for the body, which keeps to its schema`,
        ),
      ],
    ),
    'Several operations are described as raising an HTTP exception': [
      ...activeUsers('a handle > that nobody has is not found (0)'),
      ...premiumDistribution('the premium distribution > does not find a handle that nobody has (0)'),
      ...registration('a registration > of a handle of another account is a conflict, in any letter case'),
      ...clientConfig('says to register an application where there is none'),
    ],
    'Behavior for a missing or invalid API key': [...UNDER_X_API_KEY, CONFIG].flatMap((operation) =>
      keys(
        `${operation} > asks for a key`,
        `${operation} > takes an empty key for none`,
        `${operation} > does not know an unknown key`,
        `${operation} > does not know a revoked key`,
      ),
    ),
  },

  Limits: {
    'registration `name` length': bounds('name', '1', '100', '101'),
    'registration `handle` length': HANDLE_BOUNDS,
    'registration `link` and `photo_url` length': [
      ...bounds('link', '6', '2083', '2084'),
      ...bounds('photo_url', '8', '2083', '2084'),
      ...registration(
        'the bounds of a registration > refuse the link ""',
        'the bounds of a registration > refuse the photo_url ""',
      ),
    ],
    'registration `description` length': DESCRIPTION_BOUNDS,
    '`/users/segmentation` `limit`': USERS_LIMIT,
    '`/users/segmentation` `offset`': USERS_OFFSET,
    '`/users/segmentation/aggregated` `returned_values_limit`': VALUES_LIMIT,
    '`/monthly-active-users/timeseries/{handle}` `days`': DAYS,
    '`/monthly-active-users/growth-trend` `limit`': [...GROWTH_LIMIT, ...GROWTH_OFFSET],
    '`/funnels` `events`': AT_LEAST_TWO_EVENTS,
    'premium timeseries window': premiumDistribution(
      'the premium distribution > has the midnights of the last 60 days, oldest first',
    ),
    'Upper bounds of `limit` on segmentation and growth-trend': [
      ...users('paging > takes limit=1000', 'paging > refuses limit=1001'),
      ...growthTrend('paging > takes limit=1000', 'paging > refuses limit=1001'),
    ],
    'Request rate limits and quotas': document(
      `${USERS} > has a tag that is declared, and tells what it answers when something is wrong`,
    ),
  },

  Versioning: {
    'The interface description carries the version 1.0.0': [
      ...answers('versions > are 1.0.0 in the description of the interface'),
      ...document('the document > is OpenAPI 3.1 of version 1.0.0'),
    ],
    'Only the client-configuration path carries a version segment': answers(
      ...Array.from(
        { length: 11 },
        (_, index) => `versions > are in no path but those of the tracking clients (${index})`,
      ),
    ),
    'Version negotiation, deprecation and compatibility policy': NOTHING_IS_PROMISED,
  },
}
