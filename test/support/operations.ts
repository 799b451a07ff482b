import { keyId } from '../../src/access/api-keys.ts'
import { hashSecret } from '../../src/access/secrets.ts'
import { spareKeyOf } from './applications.ts'
import { registrationOf } from './client.ts'

/** One request to an operation that has an answer. */
export interface OperationCall {
  readonly name: string
  readonly method?: string
  readonly path: (handle: string) => string
  readonly header?: 'authorization' | 'tga-auth-token'
  readonly body?: (handle: string) => unknown
  /** A body that is lines of JSON. */
  readonly lines?: string
  /** What it is part of, for the scopes of keys; a question unless it says otherwise. */
  readonly part?: 'full' | 'client'
  /** 200 unless it says otherwise. */
  readonly status?: number
  /** Where the same request may be answered otherwise the next time. */
  readonly answersAnew?: true
}

export const EVENT = { event_type: 'Order', telegram_id: 5, datetime: Date.now() }

/** Every operation, and what it is asked about an application that has collected `EVENT`. */
export const OPERATIONS: readonly OperationCall[] = [
  {
    name: 'registerApplication',
    method: 'POST',
    path: () => '/applications/register',
    body: (handle) => registrationOf(handle),
    part: 'full',
  },
  { name: 'listApplications', path: () => '/applications', part: 'full' },
  { name: 'getApplication', path: (handle) => `/applications/${handle}`, part: 'full' },
  {
    name: 'updateApplication',
    method: 'PATCH',
    path: (handle) => `/applications/${handle}`,
    body: () => ({ name: 'Lime Shop' }),
    part: 'full',
  },
  {
    name: 'deleteApplication',
    method: 'DELETE',
    // With another handle nothing is deleted: other operations are asked about this application as well.
    path: (handle) => `/applications/${handle}?confirm=another`,
    part: 'full',
    status: 422,
  },
  { name: 'getCaptureSettings', path: (handle) => `/applications/${handle}/client-config`, part: 'full' },
  {
    name: 'updateCaptureSettings',
    method: 'PUT',
    path: (handle) => `/applications/${handle}/client-config`,
    body: () => ({ auto_capture: false }),
    part: 'full',
  },
  { name: 'getSources', path: (handle) => `/applications/${handle}/sources`, part: 'full' },
  {
    name: 'replaceSources',
    method: 'PUT',
    path: (handle) => `/applications/${handle}/sources`,
    body: () => ({ sources: [{ pattern: 'ref_{referrer}', set: { source: 'referral' } }] }),
    part: 'full',
  },
  {
    name: 'previewSources',
    method: 'POST',
    path: (handle) => `/applications/${handle}/sources/preview`,
    body: () => ({ sources: [] }),
    part: 'full',
  },
  { name: 'getRevenueRules', path: (handle) => `/applications/${handle}/revenue-rules` },
  {
    name: 'replaceRevenueRules',
    method: 'PUT',
    path: (handle) => `/applications/${handle}/revenue-rules`,
    body: () => ({ rules: [] }),
    part: 'full',
  },
  { name: 'listKeys', path: () => '/keys', part: 'full', answersAnew: true },
  {
    name: 'issueKey',
    method: 'POST',
    path: () => '/keys',
    body: () => ({ name: 'Report', scope: 'read' }),
    part: 'full',
    answersAnew: true,
  },
  {
    name: 'revokeKey',
    method: 'DELETE',
    path: (handle) => `/keys/${keyId(hashSecret(spareKeyOf(handle)))}`,
    part: 'full',
  },
  { name: 'listAuditEntries', path: () => '/audit', part: 'full' },
  { name: 'listAnnotations', path: () => '/annotations' },
  {
    name: 'addAnnotation',
    method: 'POST',
    path: () => '/annotations',
    body: () => ({ date: '2026-11-20', text: 'Released' }),
    part: 'full',
    answersAnew: true,
  },
  { name: 'deleteAnnotation', method: 'DELETE', path: () => '/annotations/none', part: 'full', status: 404 },
  { name: 'listSubscriptions', path: () => '/subscriptions', part: 'full', answersAnew: true },
  {
    name: 'addSubscription',
    method: 'POST',
    path: () => '/subscriptions',
    body: () => ({
      name: 'Names',
      rule: { type: 'new_event_name' },
      target: { type: 'webhook', url: 'https://93.184.215.14/' },
    }),
    part: 'full',
    answersAnew: true,
  },
  {
    name: 'changeSubscription',
    method: 'PATCH',
    path: () => '/subscriptions/none',
    body: () => ({ is_on: false }),
    part: 'full',
    status: 404,
  },
  {
    name: 'rotateSubscriptionSecret',
    method: 'POST',
    path: () => '/subscriptions/none/secret',
    part: 'full',
    status: 404,
  },
  { name: 'deleteSubscription', method: 'DELETE', path: () => '/subscriptions/none', part: 'full', status: 404 },
  { name: 'getMonthlyActiveUsers', path: (handle) => `/monthly-active-users/timeseries/${handle}` },
  { name: 'getGrowthTrend', path: () => '/monthly-active-users/growth-trend?limit=3&offset=1' },
  { name: 'getApplicationGrowth', path: (handle) => `/monthly-active-users/growth-trend/${handle}` },
  { name: 'listUsers', path: () => '/users/segmentation' },
  { name: 'aggregateUsers', path: () => '/users/segmentation/aggregated' },
  { name: 'getUserActivity', path: () => '/users/activity' },
  { name: 'countActiveDays', path: () => '/users/frequency' },
  { name: 'countLiveUsers', path: () => '/users/live' },
  { name: 'analyzeRetention', path: () => '/retention' },
  { name: 'getAcquisition', path: () => '/acquisition?by=first.country' },
  { name: 'getReferrals', path: () => '/referrals' },
  { name: 'getBotReach', path: () => '/bot/reach?by=first.country' },
  { name: 'averageSessions', path: () => '/sessions/average' },
  { name: 'countSessionLengths', path: () => '/sessions/length' },
  {
    name: 'findUsers',
    path: () =>
      `/users?definition=${encodeURIComponent('{"match":"all","conditions":[{"type":"did","event":"Order"}]}')}`,
  },
  { name: 'getUser', path: () => `/users/${EVENT.telegram_id}` },
  { name: 'eraseUser', method: 'DELETE', path: () => '/users/77', part: 'full', status: 202 },
  { name: 'listUserEvents', path: () => `/users/${EVENT.telegram_id}/events` },
  { name: 'listUserDays', path: () => `/users/${EVENT.telegram_id}/days` },
  { name: 'listUserReferrals', path: () => `/users/${EVENT.telegram_id}/referrals` },
  { name: 'analyzeFunnel', path: () => '/funnels?events=Open&events=Order' },
  { name: 'segmentEvents', path: () => '/events/segmentation?event=Order' },
  { name: 'analyzeTrends', path: () => '/events/trends?series=%5B%7B%22event%22:%22Order%22%7D%5D' },
  { name: 'analyzeEventHours', path: () => '/events/hours?event=Order' },
  { name: 'getEventPaths', path: () => '/events/paths?event=Order' },
  { name: 'listEventNames', path: () => '/events/names' },
  { name: 'listLatestEvents', path: () => '/events/latest' },
  { name: 'getRevenue', path: () => '/revenue' },
  { name: 'analyzeRevenueLtv', path: () => '/revenue/ltv' },
  { name: 'listCohorts', path: () => '/cohorts' },
  {
    name: 'putCohort',
    method: 'PUT',
    path: () => '/cohorts/buyers',
    body: () => ({ match: 'all', conditions: [{ type: 'did', event: 'Order' }] }),
    part: 'full',
    answersAnew: true,
  },
  { name: 'getCohort', path: () => '/cohorts/none', status: 404 },
  { name: 'exportCohortIds', path: () => '/cohorts/none/telegram-ids', status: 404 },
  { name: 'listCohortUsers', path: () => '/cohorts/none/users', status: 404 },
  { name: 'deleteCohort', method: 'DELETE', path: () => '/cohorts/none', part: 'full', status: 404 },
  { name: 'getEnterpriseSummary', path: (handle) => `/enterprise/${handle}` },
  { name: 'listProperties', path: () => '/properties' },
  { name: 'listPropertyValues', path: () => '/properties/language/values' },
  { name: 'getPremiumDistribution', path: (handle) => `/enterprise/${handle}/premium-timeseries` },
  { name: 'listAvailableHandles', path: () => '/enterprise/available-handles' },
  { name: 'getClientConfig', path: () => '/v1/client/config', header: 'authorization', part: 'client' },
  { name: 'exportEvents', path: () => '/export/events' },
  { name: 'exportUsers', path: () => '/export/users' },
  {
    name: 'importEvents',
    method: 'POST',
    path: () => '/import/events',
    lines: JSON.stringify({ name: 'Order', time: EVENT.datetime, telegram_id: 5, key: 1 }),
    part: 'full',
    answersAnew: true,
  },
  { name: 'collectEvents', method: 'POST', path: () => '/v1/client/events', body: () => EVENT, part: 'client' },
  {
    name: 'collectSdkEvents',
    method: 'POST',
    path: () => '/events',
    header: 'tga-auth-token',
    body: () => [{ event_name: 'Order', user_id: 5, client_timestamp: String(EVENT.datetime) }],
    part: 'client',
    status: 202,
  },
]

/** The request of an operation with this key. */
export function toRequest({ method = 'GET', header, path, body, lines }: OperationCall, key: string, handle: string) {
  const type = lines === undefined ? 'application/json' : 'application/x-ndjson'
  const headers = { [header ?? 'x-api-key']: key, 'content-type': type }
  const text = lines ?? (body && JSON.stringify(body(handle)))
  return { path: path(handle), init: { method, headers, ...(text && { body: text }) } }
}
