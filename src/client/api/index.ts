import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from './operations.ts'

export type { components, operations, paths } from './operations.ts'

/** A service, and what opens an application there. */
export interface ApiOptions {
  /** Address of the service. */
  readonly host: string
  /** An API key. One of scope `full` or `read` must not reach a page. */
  readonly key: string
  /** Project id of the application; by default that of the key. */
  readonly project?: string
  /** Sends requests instead of the runtime's `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>
}

export type ApiClient = Client<paths>

/** A client of all operations in the service's OpenAPI document: `GET`, `POST`, `PUT`, `PATCH` and `DELETE` take a path of it. */
export function createApiClient({ host, key, project, fetch }: ApiOptions): ApiClient {
  const application = project === undefined ? {} : { 'x-project-id': project }
  // The client configuration takes the key in `Authorization` only.
  const headers = { 'x-api-key': key, authorization: `Bearer ${key}`, ...application }
  return createFetchClient<paths>({ baseUrl: host, headers, ...(fetch && { fetch }) })
}
