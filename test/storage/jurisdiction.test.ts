import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  runInDurableObject,
  waitOnExecutionContext,
} from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import worker from '../../src/index.ts'
import { ApplicationObject } from '../../src/object/application-object.ts'
import { CRONS } from '../../src/schedule.ts'
import { createPlainApplication } from '../support/applications.ts'
import { messagesOf } from '../support/delivery.ts'
import { onlyObject, stubOf } from '../support/objects.ts'

const QUESTION = '/events/segmentation?event=_active&start=20261101&end=20261101'

it('every object is opened in the jurisdiction: by requests, deliveries, cron, and other objects', async () => {
  const { applicationId, key } = await createPlainApplication()
  const { bound, opened, refused } = inEu()
  const open = async (work: (context: ExecutionContext) => unknown) => {
    const context = createExecutionContext()
    const result = await work(context)
    await waitOnExecutionContext(context)
    return { result, names: opened.splice(0) }
  }
  const message = { id: 'm', timestamp: new Date(), attempts: 1, body: messagesOf(applicationId, [EVENT])[0] }
  const delivered = await open((context) =>
    worker.queue(createMessageBatch('mauve-events', [message]) as MessageBatch, bound, context),
  )
  expect(delivered.names).toContain(String(applicationId))
  const asked = await open((context) => worker.fetch(requestOf(QUESTION, key), bound, context))
  expect(asked).toMatchObject({ result: { status: 200 }, names: [String(applicationId)] })
  for (const cron of CRONS) await open(() => worker.scheduled(createScheduledController({ cron }), bound))
  await runInDurableObject(stubOf(onlyObject(applicationId)), async (_, state) => {
    const object = new ApplicationObject(state as unknown as DurableObjectState, bound)
    const { env: own } = object as unknown as { env: Env }
    expect(() => own.APPLICATIONS.getByName('1')).not.toThrow()
  })
  const health = await open((context) => worker.fetch(requestOf('/health', key), bound, context))
  expect(await (health.result as Response).json()).toMatchObject({ status: 'ok', jurisdiction: 'eu' })
  expect(refused).toEqual([])
})

const EVENT = { event_type: 'Opened', telegram_id: 1, datetime: Date.UTC(2026, 10, 1) }

function requestOf(path: string, key: string): Request {
  return new Request(`https://mauve.test${path}`, { headers: { 'x-api-key': key } })
}

/** Bindings whose objects can be opened in the EU only, and which of them were. */
function inEu() {
  const opened: string[] = []
  const refused: unknown[] = []
  const refuse = (name: unknown) => {
    refused.push(name)
    throw new Error('Opened outside the jurisdiction')
  }
  const getByName = (name: string) => {
    opened.push(name)
    return env.APPLICATIONS.getByName(name)
  }
  const jurisdiction = (name: string) => (name === 'eu' ? { getByName } : refuse(name))
  const APPLICATIONS = { jurisdiction, getByName: refuse, get: refuse, idFromName: refuse, newUniqueId: refuse }
  return { opened, refused, bound: { ...env, JURISDICTION: 'eu', APPLICATIONS } as unknown as Env }
}
