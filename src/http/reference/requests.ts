/** A request as a newcomer may send it to a service with the demo history. */
export interface SampleRequest {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: readonly (readonly [name: string, value: string])[]
  /** A text where it is lines of JSON. */
  readonly body?: unknown
}

const HANDLE = 'lemon_shop_bot'
/** Somebody of the demo history when the answers were made; of another one any id of the list of users will do. */
const USER = '3022614280'
/** Another one, who is there no more afterwards. */
const ERASED_USER = '6909645728'
/** Of a key that was revoked when the answers were made; each time they are, the key is another. */
const KEY_ID = 'f55694525ef9f87c'

/** One of each operation, by its id. What the service answered to them stands in answers.json: `npm run generate:answers`. */
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
  deleteApplication: { path: { handle: 'lemon_stand_bot' }, query: [['confirm', 'lemon_stand_bot']] },
  getCaptureSettings: { path: { handle: HANDLE } },
  updateCaptureSettings: {
    path: { handle: HANDLE },
    body: { auto_capture_classes: ['buy'], auto_capture_mini_app_events: ['InvoiceClosed', 'WalletConnected'] },
  },
  listKeys: {},
  issueKey: { body: { name: 'Weekly report', scope: 'read', handle: HANDLE } },
  revokeKey: { path: { id: KEY_ID } },
  getMonthlyActiveUsers: { path: { handle: HANDLE }, query: [['days', '7']] },
  getGrowthTrend: { query: [['limit', '2']] },
  getApplicationGrowth: { path: { handle: HANDLE } },
  listUsers: {
    query: [
      ['is_premium', 'true'],
      ['country', 'DE'],
      ['sort_by', 'total_events'],
      ['limit', '2'],
    ],
  },
  aggregateUsers: {
    query: [
      ['aggregation_param', 'country'],
      ['returned_values_limit', '5'],
    ],
  },
  getUserActivity: {},
  analyzeRetention: {
    query: [
      ['interval', 'week'],
      ['group_by', 'is_premium'],
    ],
  },
  averageSessions: {},
  countSessionLengths: { query: [['filters', '[{"prop": "country", "op": "is", "values": ["DE"]}]']] },
  eraseUser: { path: { telegram_id: ERASED_USER } },
  getUser: { path: { telegram_id: USER } },
  listUserEvents: { path: { telegram_id: USER }, query: [['limit', '3']] },
  analyzeFunnel: {
    query: [
      ['events', 'Product viewed'],
      ['events', 'Cart updated'],
      ['events', 'Order paid'],
      ['window_seconds', '86400'],
    ],
  },
  segmentEvents: {
    query: [
      ['event', 'Order paid'],
      ['mode', 'totals'],
      ['group_by', 'params.method'],
      ['filters', '[{"prop": "params.order_total", "op": "greater or equal", "values": [100]}]'],
    ],
  },
  getEventPaths: {
    query: [
      ['event', 'Cart updated'],
      ['steps', '2'],
    ],
  },
  listEventNames: { query: [['limit', '3']] },
  listProperties: { query: [['limit', '5']] },
  listPropertyValues: { path: { property: 'params.method' } },
  listLatestEvents: {
    query: [
      ['event', 'Order paid'],
      ['limit', '2'],
    ],
  },
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
  exportEvents: { query: [['limit', '1']] },
  exportUsers: { query: [['limit', '1']] },
  importEvents: {
    body: '{"name":"Order paid","time":"2026-11-20T10:15:30.000Z","telegram_id":7234567890,"event_id":null,"key":81985529216486,"context":{"language":"en"},"params":{"order_total":250}}',
  },
}
