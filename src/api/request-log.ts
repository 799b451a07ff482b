import type { Context } from 'hono'
import type { Access } from '../accounts/access.ts'
import type { AppEnv } from '../context.ts'
import { logInfo } from '../log.ts'

/** One line per request. It has the operation's path template, never the path itself, which may name a person. */
export function logRequest(c: Context<AppEnv>, milliseconds: number): void {
  const operation = c.get('operation')
  const access: Access | undefined = c.get('access')
  logInfo('request', {
    request_id: c.get('requestId'),
    operation: operation?.operationId ?? null,
    method: c.req.method,
    path: operation?.path ?? null,
    status: c.res.status,
    ms: milliseconds,
    application: access?.application?.id ?? null,
  })
}
