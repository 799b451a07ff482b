import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { consumeNotifications } from '../../src/notifications/delivering.ts'
import { enqueueDue } from '../../src/notifications/due.ts'
import type { PlainApplication } from './applications.ts'
import { getJson, postJson, sendJson } from './client.ts'

/** A request that the service sent to the messenger or to a webhook. */
export interface Sent {
  readonly url: string
  readonly headers: Headers
  readonly redirect: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: each receiver gets something else
  readonly body: any
}

type Respond = (sent: Sent) => Response | Promise<Response>

export const TOKEN = '4711:secret-token'
export const OK = () => Response.json({ ok: true, result: {} })

/** What the resolver says: any name is of the public internet unless it is listed here. */
const PRIVATE_NAMES: Readonly<Record<string, string>> = {
  'inside.example.org': '10.0.0.7',
  'six.example.org': 'fd00::7',
}

/** Stands in for the resolver, the messenger and all webhooks, which `respond` is. */
export function createOutside(respond: Respond = OK) {
  const sent: Sent[] = []
  const fetch = async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const url = new URL(String(input instanceof Request ? input.url : input))
    if (url.hostname === 'cloudflare-dns.com') return Response.json(resolve(url.searchParams))
    const request = {
      url: String(url),
      headers: new Headers(init.headers),
      redirect: init.redirect,
      body: JSON.parse(String(init.body)),
    }
    sent.push(request)
    return respond(request)
  }
  return { sent, fetch: fetch as typeof globalThis.fetch }
}

function resolve(asked: URLSearchParams) {
  const data = PRIVATE_NAMES[asked.get('name') ?? ''] ?? '93.184.215.14'
  const type = data.includes(':') ? 28 : 1
  return {
    Answer:
      (asked.get('type') === 'AAAA') === (type === 28)
        ? [
            { type: 5, data: 'alias.' },
            { type, data },
          ]
        : [],
  }
}

interface Options {
  readonly token?: string | null
  readonly ports?: string
  readonly respond?: Respond
  readonly APPLICATIONS?: Env['APPLICATIONS']
  readonly DB?: D1Database
}

/** The queue's settings in wrangler.toml. */
const QUEUE = { batchSize: 10, concurrency: 2, maxRetries: 3 }

/** The service with its cron and its queue, whose tasks are done at once. */
export function createNotifier({ token = TOKEN, ports, respond, ...bindings }: Options = {}) {
  const tasks: string[] = []
  /** Tasks that come again, and how often each has failed. */
  const later: { readonly at: number; readonly body: string }[] = []
  const failures = new Map<string, number>()
  const outside = createOutside(respond)
  const NOTIFICATIONS = {
    sendBatch: async (all: { body: string }[]) => void tasks.push(...all.map(({ body }) => body)),
  }
  const own = {
    ...env,
    ...bindings,
    NOTIFICATIONS,
    BOT_TOKEN: token ?? undefined,
    WEBHOOK_PORTS: ports,
  } as unknown as Env
  const consume = (now: number, bodies: readonly string[]) => {
    const messages = bodies.map((body) => {
      const attempts = 1 + (failures.get(body) ?? 0)
      const retry = ({ delaySeconds = 0 }: QueueRetryOptions) => {
        failures.set(body, attempts)
        if (attempts <= QUEUE.maxRetries) later.push({ at: now + delaySeconds * 1_000, body })
      }
      return { body, attempts, retry }
    }) as unknown as Message[]
    return consumeNotifications({ messages }, { env: own, now: () => now, fetch: outside.fetch })
  }
  const work = async (now: number, bodies: readonly string[]) => {
    expect(await consume(now, bodies)).toEqual({ failed: 0 })
  }
  const finish = async (now: number) => {
    while (tasks.length > 0) await work(now, tasks.splice(0))
  }
  return {
    sent: outside.sent,
    tasks,
    work,
    finish,
    enqueue: (now: number) => enqueueDue(own, now),
    /** One run of cron, and all that follows from it. */
    async run(now: number) {
      await enqueueDue(own, now)
      await finish(now)
    },
    /** What the queue does from now on, until it is empty. Returns when that is. */
    async drain(now: number): Promise<number> {
      for (let at = now; ; at = Math.min(...later.map((one) => one.at))) {
        tasks.push(...later.filter((one) => one.at <= at).map(({ body }) => body))
        later.splice(0, later.length, ...later.filter((one) => one.at > at))
        const consumer = async () => {
          while (tasks.length > 0) await consume(at, tasks.splice(0, QUEUE.batchSize))
        }
        await Promise.all(Array.from({ length: QUEUE.concurrency }, consumer))
        if (later.length === 0) return at
      }
    },
    /** Without how to stop them. */
    texts: () => outside.sent.map(({ body }) => String(body.text).replace(/\n\nTo stop .*$/, '')),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the wire format of a subscription
export type Wire = any

export async function subscribe({ key }: Pick<PlainApplication, 'key'>, body: object): Promise<Wire> {
  const response = await postJson('/subscriptions', key, body)
  const answer = (await response.json()) as Wire
  expect(answer).toMatchObject({ status_code: 200 })
  return answer.data
}

export async function change({ key }: Pick<PlainApplication, 'key'>, id: string, body: object): Promise<Wire> {
  const response = await sendJson('PATCH', `/subscriptions/${id}`, { key, body })
  const answer = (await response.json()) as Wire
  expect(answer).toMatchObject({ status_code: 200 })
  return answer.data
}

export async function listed({ key }: Pick<PlainApplication, 'key'>): Promise<Wire[]> {
  return ((await (await getJson('/subscriptions', key)).json()) as Wire).data
}

/** Makes a subscription due. */
export async function setDue(id: string, now: number): Promise<void> {
  await env.DB.prepare('update subscriptions set next_at = ? where id = ?').bind(now, id).run()
}

/** A member who signed in to the account once. */
export async function addTestMember({ accountId }: PlainApplication, telegramId = 77): Promise<number> {
  await env.DB.prepare("insert into members values (?, ?, 'viewer', 'Lemon', 0)").bind(accountId, telegramId).run()
  await env.DB.prepare('insert into consents values (?1, ?2, ?1, 0)').bind(telegramId, accountId).run()
  return telegramId
}

export async function saveReport({ applicationId }: PlainApplication, name: string, address: string): Promise<string> {
  await env.DB.prepare(
    'insert or replace into saved_questions (application_id, name, address, created_at) values (?, ?, ?, 0)',
  )
    .bind(applicationId, name, address)
    .run()
  return name
}

/** Cron sees the subscriptions of all tests. */
export async function forgetSubscriptions(): Promise<void> {
  await env.DB.batch([env.DB.prepare('delete from deliveries'), env.DB.prepare('delete from subscriptions')])
}
