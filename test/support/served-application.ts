import { expect } from 'vitest'
import { apiKey, call, newHandle, post, registrationOf } from '../conformance/client.ts'

interface Served {
  /** What its clients capture, if that is not what they do by default. */
  readonly capture?: object
  /** What else is changed of it. */
  readonly changes?: object
}

/** A new application of the served Worker, and a key for its page. */
export async function registerServed({ capture, changes }: Served): Promise<{ project: string; key: string }> {
  const handle = newHandle().slice(1)
  const registered = await post('/applications/register', registrationOf(`@${handle}`))
  const { project_id: project } = (await registered.json()) as { project_id: string }
  if (capture) await change('PUT', `/applications/${handle}/client-config`, capture)
  if (changes) await change('PATCH', `/applications/${handle}`, changes)
  const issued = await post('/keys', { name: 'Shop page', scope: 'client', handle })
  const { data } = (await issued.json()) as { data: { key: string } }
  return { project, key: data.key }
}

async function change(method: string, path: string, body: object): Promise<void> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  expect((await call(path, { method, headers, body: JSON.stringify(body) })).status).toBe(200)
}
