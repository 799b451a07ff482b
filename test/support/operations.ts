import { registrationOf } from './client.ts'

/** One request to an operation that has an answer. */
export interface OperationCall {
  readonly name: string
  readonly method?: string
  readonly path: (handle: string) => string
  readonly header?: 'authorization'
  readonly body?: (handle: string) => unknown
}

export const EVENT = { event_type: 'Order', telegram_id: 5, datetime: Date.now() }

/** Every operation, and what it is asked about an application that has collected `EVENT`. */
export const OPERATIONS: readonly OperationCall[] = [
  {
    name: 'registerApplication',
    method: 'POST',
    path: () => '/applications/register',
    body: (handle) => registrationOf(handle),
  },
  { name: 'getMonthlyActiveUsers', path: (handle) => `/monthly-active-users/timeseries/${handle}` },
  { name: 'getGrowthTrend', path: () => '/monthly-active-users/growth-trend?limit=3&offset=1' },
  { name: 'getApplicationGrowth', path: (handle) => `/monthly-active-users/growth-trend/${handle}` },
  { name: 'listUsers', path: () => '/users/segmentation' },
  { name: 'aggregateUsers', path: () => '/users/segmentation/aggregated' },
  { name: 'getUserActivity', path: () => '/users/activity' },
  { name: 'analyzeRetention', path: () => '/retention' },
  { name: 'averageSessions', path: () => '/sessions/average' },
  { name: 'countSessionLengths', path: () => '/sessions/length' },
  { name: 'getUser', path: () => `/users/${EVENT.telegram_id}` },
  { name: 'listUserEvents', path: () => `/users/${EVENT.telegram_id}/events` },
  { name: 'analyzeFunnel', path: () => '/funnels?events=Open&events=Order' },
  { name: 'segmentEvents', path: () => '/events/segmentation?event=Order' },
  { name: 'getEventPaths', path: () => '/events/paths?event=Order' },
  { name: 'listEventNames', path: () => '/events/names' },
  { name: 'listLatestEvents', path: () => '/events/latest' },
  { name: 'getEnterpriseSummary', path: (handle) => `/enterprise/${handle}` },
  { name: 'listProperties', path: () => '/properties' },
  { name: 'listPropertyValues', path: () => '/properties/language/values' },
  { name: 'getPremiumDistribution', path: (handle) => `/enterprise/${handle}/premium-timeseries` },
  { name: 'listAvailableHandles', path: () => '/enterprise/available-handles' },
  { name: 'getClientConfig', path: () => '/v1/client/config', header: 'authorization' },
  { name: 'collectEvents', method: 'POST', path: () => '/v1/client/events', body: () => EVENT },
]

/** The request of an operation with this key. */
export function toRequest({ method = 'GET', header, path, body }: OperationCall, key: string, handle: string) {
  const headers = { [header ?? 'x-api-key']: key, 'content-type': 'application/json' }
  const text = body && JSON.stringify(body(handle))
  return { path: path(handle), init: { method, headers, ...(text && { body: text }) } }
}
