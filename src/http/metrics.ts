import type { Context } from 'hono'
import { isSameSecret } from '../access/secrets.ts'
import type { MetricFamily } from '../base/counts.ts'
import type { AppEnv } from './context.ts'

/** Prometheus text for operators. Only for a deployment with the secret `METRICS_TOKEN`, and for those who send it. */
export function metricsRoute(read: (env: Env, now: number) => Promise<readonly MetricFamily[]>) {
  return async (c: Context<AppEnv>): Promise<Response> => {
    c.set('operation', { operationId: 'metrics', path: '/metrics' })
    const { METRICS_TOKEN: token } = c.env
    if (!token) return c.notFound()
    const given = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1]
    if (given === undefined || !isSameSecret(given, token)) {
      c.header('WWW-Authenticate', 'Bearer realm="mauve"')
      return c.json({ detail: 'Send the METRICS_TOKEN of the deployment: Authorization: Bearer …' }, 401)
    }
    const metrics = await read(c.env, c.get('now'))
    return c.body(metrics.map(textOf).join(''), 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
  }
}

function textOf({ name, type, help, values }: MetricFamily): string {
  const known = Object.entries(values).filter(([, value]) => value !== null)
  const lines = known.map(([labels, value]) => `${name}${labels} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}
