import { keyId } from '../../src/access/api-keys.ts'
import { hashSecret } from '../../src/access/secrets.ts'
import { DATA_SINCE_HEADER } from '../../src/questions/engine/contract.ts'
import { questionOperations } from '../../src/questions/operations.ts'
import { spareKeyOf } from './applications.ts'
import { toPath } from './asking.ts'
import { registrationOf } from './client.ts'
import { describedOf, requiredBy } from './question-requests.ts'

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
  /** What it needs once its key is known; the database unless it says otherwise. */
  readonly needs?: 'nothing' | 'object' | 'queue' | 'database' | 'database and object' | 'database and exports'
}

export const EVENT = { event_type: 'Order', telegram_id: 5, datetime: Date.now() }

const DID_ORDER = { match: 'all', conditions: [{ type: 'did', event: 'Order' }] }

/** What is unusual about requests of questions: the others follow from their contracts, and need an object if objects answer them. */
const UNUSUAL: Readonly<Record<string, Partial<OperationCall>>> = {
  getGrowthTrend: { path: () => '/monthly-active-users/growth-trend?limit=3&offset=1' },
  getAcquisition: { path: () => '/acquisition?by=first.country', needs: 'database and object' },
  getReferrals: { needs: 'database and object' },
  getBotReach: { path: () => '/bot/reach?by=first.country' },
  findUsers: {
    path: () => toPath('/users', [['definition', JSON.stringify(DID_ORDER)]]),
    needs: 'database and object',
  },
  getRevenue: { needs: 'database and object' },
  analyzeRevenueLtv: { needs: 'database and object' },
  getEnterpriseSummary: { needs: 'database and object' },
  putCohort: { path: () => '/cohorts/buyers', body: () => DID_ORDER, answersAnew: true },
  getCohort: { status: 404, needs: 'database' },
  exportCohortIds: { status: 404 },
  listCohortUsers: { status: 404, needs: 'database' },
  deleteCohort: { status: 404 },
}

/** A question is asked with the parameters that it requires. */
function callOf({ contract, needs }: (typeof questionOperations)[number]): OperationCall {
  const { operationId: name = '', method } = contract
  const { path, query } = requiredBy({ contract }, ['Open', EVENT.event_type])
  return {
    name,
    method: method.toUpperCase(),
    path: (handle) => toPath(path.replace('{handle}', handle), query),
    ...(needs.scope === 'full' && { part: 'full' }),
    ...(DATA_SINCE_HEADER in (describedOf(name).responses[200]?.headers ?? {}) && { needs: 'object' }),
    ...UNUSUAL[name],
  }
}

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
    needs: 'database and object',
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
  ...questionOperations.map(callOf),
  { name: 'eraseUser', method: 'DELETE', path: () => '/users/77', part: 'full', status: 202 },
  {
    name: 'getClientConfig',
    path: () => '/v1/client/config',
    header: 'authorization',
    part: 'client',
    needs: 'nothing',
  },
  { name: 'exportEvents', path: () => '/export/events', needs: 'database and exports' },
  { name: 'exportUsers', path: () => '/export/users', needs: 'database and exports' },
  {
    name: 'importEvents',
    method: 'POST',
    path: () => '/import/events',
    lines: JSON.stringify({ name: 'Order', time: EVENT.datetime, telegram_id: 5, key: 1 }),
    part: 'full',
    answersAnew: true,
  },
  {
    name: 'collectEvents',
    method: 'POST',
    path: () => '/v1/client/events',
    body: () => EVENT,
    part: 'client',
    needs: 'queue',
  },
  {
    name: 'collectSdkEvents',
    method: 'POST',
    path: () => '/events',
    header: 'tga-auth-token',
    body: () => [{ event_name: 'Order', user_id: 5, client_timestamp: String(EVENT.datetime) }],
    part: 'client',
    status: 202,
    needs: 'queue',
  },
]

/** The request of an operation with this key. */
export function toRequest({ method = 'GET', header, path, body, lines }: OperationCall, key: string, handle: string) {
  const type = lines === undefined ? 'application/json' : 'application/x-ndjson'
  const headers = { [header ?? 'x-api-key']: key, 'content-type': type }
  const text = lines ?? (body && JSON.stringify(body(handle)))
  return { path: path(handle), init: { method, headers, ...(text && { body: text }) } }
}
