import { LINES } from '../api/answers.ts'
import { toJsonText } from './json-text.ts'

/** A request that newcomers can send to a service with the demo history. */
export interface SampleRequest {
  readonly path?: Readonly<Record<string, string>>
  /** What follows the question mark, not encoded. */
  readonly query?: string
  /** A text if it is lines of JSON. */
  readonly body?: unknown
}

const HANDLE = 'lemon_shop_bot'
/** A user of the demo history that the responses were made with; with another one, use any id of its list of users. */
const USER = '3022614280'
/** A user who invited others. */
const INVITER = '5318439943'
/** Another user, who is gone afterwards. */
const ERASED_USER = '6909645728'
/** The key that was revoked when the responses were made; it differs each time. */
const KEY_ID = 'f55694525ef9f87c'

/** The annotation that was deleted when the responses were made; it differs each time. */
const ANNOTATION_ID = '5b0d3a52-7c0e-4c1f-9a53-0b1d1f7b7c11'

/** The subscription that was changed, got a new secret and was deleted when the responses were made; it differs each time. */
const SUBSCRIPTION_ID = '7e1c6f0a-2b4d-4e8f-9c3a-51d2b7a60f93'

const SOURCES = [
  { pattern: 'ref_{referrer}', set: { source: 'Referral' } },
  { pattern: 'tgads-{campaign}', set: { source: 'Telegram Ads', medium: 'cpc' } },
  { pattern: 'ads_{source}-{campaign}_{content}', set: { medium: 'paid' } },
  { pattern: 'channel_{campaign}', set: { source: 'Telegram channels' } },
  { pattern: 'partner_{campaign}', set: { source: 'Partner bots' } },
]

/** A request for each operation, by its id. `npm run generate:answers` writes their responses to answers.json. */
export const SAMPLE_REQUESTS: Readonly<Record<string, SampleRequest>> = {
  registerApplication: {
    body: {
      name: 'Lemon Stand',
      handle: '@lemon_stand_bot',
      link: 'https://t.me/lemon_stand_bot/app',
      description: 'Lemonade, by the glass',
      photo_url: 'https://example.org/stand.png',
    },
  },
  listApplications: {},
  getApplication: { path: { handle: HANDLE } },
  updateApplication: { path: { handle: HANDLE }, body: { description: 'Lemons, by the crate', keep_months: 24 } },
  deleteApplication: { path: { handle: 'lemon_stand_bot' }, query: 'confirm=lemon_stand_bot' },
  getCaptureSettings: { path: { handle: HANDLE } },
  updateCaptureSettings: {
    path: { handle: HANDLE },
    body: { auto_capture_classes: ['buy'], auto_capture_mini_app_events: ['InvoiceClosed', 'WalletConnected'] },
  },
  getSources: { path: { handle: HANDLE } },
  replaceSources: { path: { handle: HANDLE }, body: { sources: SOURCES } },
  previewSources: { path: { handle: HANDLE }, body: { sources: SOURCES } },
  getRevenueRules: { path: { handle: HANDLE } },
  replaceRevenueRules: {
    path: { handle: HANDLE },
    body: {
      rules: [
        {
          event: 'telegram_message',
          filters: [{ prop: 'params.content', op: 'is', values: ['successful_payment'] }],
          kind: 'sale',
          amount: 'params.total_amount',
          currency: 'params.currency',
          unit: 'minor',
        },
        {
          event: 'telegram_message',
          filters: [{ prop: 'params.content', op: 'is', values: ['refunded_payment'] }],
          kind: 'refund',
          amount: 'params.total_amount',
          currency: 'params.currency',
          unit: 'minor',
        },
        { event: 'Donation', kind: 'sale', amount: 5, currency: 'USD', unit: 'major' },
      ],
    },
  },
  listKeys: {},
  issueKey: { body: { name: 'Weekly report', scope: 'read', handle: HANDLE } },
  revokeKey: { path: { id: KEY_ID } },
  listAuditEntries: { query: 'limit=3' },
  listAnnotations: {},
  addAnnotation: { body: { date: '2026-11-20', text: 'Version 2 released' } },
  deleteAnnotation: { path: { id: ANNOTATION_ID } },
  listSubscriptions: {},
  addSubscription: {
    body: {
      name: 'Every morning',
      rule: { type: 'digest', every: 'daily', hour: 9, time_zone: 'Europe/Berlin' },
      target: { type: 'webhook', url: 'https://93.184.215.14/mauve' },
    },
  },
  changeSubscription: { path: { id: SUBSCRIPTION_ID }, body: { snoozed_until: '2026-11-30T00:00:00Z' } },
  rotateSubscriptionSecret: { path: { id: SUBSCRIPTION_ID } },
  deleteSubscription: { path: { id: SUBSCRIPTION_ID } },
  getMonthlyActiveUsers: { path: { handle: HANDLE }, query: 'days=7' },
  getGrowthTrend: { query: 'limit=2' },
  getApplicationGrowth: { path: { handle: HANDLE } },
  listUsers: { query: 'is_premium=true&country=DE&sort_by=total_events&limit=2' },
  aggregateUsers: { query: 'aggregation_param=country&returned_values_limit=5' },
  getUserActivity: {},
  countActiveDays: { query: 'start=20261116&end=20261122' },
  countLiveUsers: {},
  analyzeRetention: { query: 'interval=week&group_by=is_premium' },
  getAcquisition: { query: 'activation_event=Order paid&limit=3&offset=4' },
  getReferrals: { query: 'activation_event=Order paid&start=20261121&end=20261121' },
  getBotReach: { query: 'by=source' },
  averageSessions: {},
  countSessionLengths: { query: 'filters=[{"prop": "country", "op": "is", "values": ["DE"]}]' },
  findUsers: {
    query:
      'definition={"match": "all", "conditions": [{"type": "figure", "question": "/events/segmentation?event=Order paid", "at": {"day": "2026-11-20"}}]}&limit=1',
  },
  eraseUser: { path: { telegram_id: ERASED_USER } },
  getUser: { path: { telegram_id: USER } },
  listUserEvents: { path: { telegram_id: USER }, query: 'limit=3' },
  listUserDays: { path: { telegram_id: USER }, query: 'start=20261109&end=20261115' },
  listUserReferrals: { path: { telegram_id: INVITER }, query: 'limit=2' },
  analyzeFunnel: { query: 'events=Product viewed&events=Cart updated&events=Order paid&window_seconds=86400' },
  segmentEvents: {
    query:
      'event=Order paid&mode=sum&of=params.order_total&group_by=params.method&filters=[{"prop": "params.order_total", "op": "greater or equal", "values": [100]}]',
  },
  analyzeTrends: {
    query:
      'series=[{"event": "Product viewed"}, {"event": "Order paid", "name": "Buyers"}]&formula=B/A*100&interval=week&compare=previous',
  },
  analyzeEventHours: { query: 'event=Order paid&mode=totals' },
  getEventPaths: { query: 'event=Cart updated&steps=2' },
  listEventNames: { query: 'limit=3' },
  listProperties: { query: 'limit=5' },
  listPropertyValues: { path: { property: 'params.method' } },
  listLatestEvents: { query: 'event=Order paid&limit=2' },
  getRevenue: {},
  analyzeRevenueLtv: { query: 'interval=week' },
  listCohorts: {},
  putCohort: {
    path: { name: 'payers' },
    body: { match: 'all', conditions: [{ type: 'did', event: 'Order paid', within: { days: 30 } }] },
  },
  getCohort: { path: { name: 'payers' } },
  listCohortUsers: { path: { name: 'payers' }, query: 'sort_by=total_events&limit=1' },
  exportCohortIds: { path: { name: 'payers' } },
  deleteCohort: { path: { name: 'payers' } },
  getEnterpriseSummary: { path: { handle: HANDLE } },
  getPremiumDistribution: { path: { handle: HANDLE } },
  listAvailableHandles: {},
  getClientConfig: {},
  collectEvents: {
    body: {
      events: [
        {
          event_type: 'Lemon bought',
          telegram_id: 7234567890,
          datetime: '2026-11-20T10:15:30Z',
          event_id: 'order-4711',
          session_id: '1',
          language: 'en',
          country: 'DE',
          is_premium: true,
          params: { amount: 250, item: 'lemon' },
        },
      ],
    },
  },
  collectSdkEvents: {
    body: [
      {
        event_name: 'app-init',
        session_id: '0ba49ee2-d074-41c4-a2b0-641c462b0641',
        user_id: 7234567890,
        app_name: 'lemon_shop',
        is_premium: true,
        platform: 'ios',
        locale: 'en',
        start_param: 'spring',
        client_timestamp: '1763633730123',
      },
    ],
  },
  exportEvents: { query: 'limit=1' },
  exportUsers: { query: 'limit=1' },
  importEvents: {
    body: '{"name":"Order paid","time":"2026-11-20T10:15:30.000Z","telegram_id":7234567890,"event_id":null,"key":81985529216486,"context":{"language":"en"},"params":{"order_total":250}}',
  },
}

interface Target {
  /** Scheme and host of the service, as its caller names it. */
  readonly origin: string
  readonly method: string
  readonly path: string
  /** The header that carries the key, up to the key itself. */
  readonly keyHeader: string
}

/** The request as a shell command, with the API key in the variable KEY. */
export function toCurl({ origin, method, path, keyHeader }: Target, request: SampleRequest): string {
  const { query = '', body } = request
  const address = quote(`${origin}${fillPath(path, request)}`)
  return [
    `curl ${optionOf(method, request)}${query ? '-G ' : ''}${address}`,
    `-H "${keyHeader}$KEY"`,
    ...query.split('&').filter(Boolean).map(toOption),
    ...(body !== undefined ? toBody(body) : []),
  ].join(' \\\n  ')
}

/** The path of an operation with the request's values in it. */
export function fillPath(template: string, { path = {} }: SampleRequest): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
}

function toBody(body: unknown): string[] {
  if (typeof body === 'string') return [`-H 'content-type: ${LINES}'`, `--data-binary ${quote(body)}`]
  return [`-H 'content-type: application/json'`, `-d ${quote(toJsonText(body))}`]
}

/** With a body, curl sends a POST by itself. */
function optionOf(method: string, { body }: SampleRequest): string {
  return method === 'get' || (method === 'post' && body !== undefined) ? '' : `-X ${method.toUpperCase()} `
}

function toOption(pair: string): string {
  return /^[\w.=-]+$/.test(pair) ? `-d ${pair}` : `--data-urlencode ${quote(pair)}`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
