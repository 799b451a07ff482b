import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { removeMember } from '../../src/accounts/members.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createPlainApplication } from '../support/applications.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import {
  addTestMember,
  change,
  createNotifier,
  forgetSubscriptions,
  listed,
  OK,
  type Sent,
  setDue,
  subscribe,
  TOKEN,
} from '../support/notifying.ts'

beforeEach(forgetSubscriptions)

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const NOW = Date.now()
/** Half a day away, so that no further digest falls due while one is tried again. */
const HOUR = (new Date(NOW).getUTCHours() + 12) % 24

/** A digest that is due now, sent to a messenger that answers like this. */
async function dueDigest(respond: (sent: Sent) => Response | Promise<Response> = OK, token: string | null = TOKEN) {
  const application = await createPlainApplication()
  await deliver(
    messagesOf(application.applicationId, [{ event_type: 'Order', telegram_id: 5, datetime: NOW - DAY_MS }]),
  )
  const telegramId = await addTestMember(application)
  const rule = { type: 'digest', every: 'daily', hour: HOUR, time_zone: 'UTC' }
  const target = { type: 'member', telegram_id: telegramId }
  const { id } = await subscribe(application, { name: 'Morning', rule, target })
  await setDue(id, NOW)
  return { application, id, telegramId, notifier: createNotifier({ respond, token }) }
}

function refusal(status: number, description: string, parameters: object = {}) {
  return () => Response.json({ ok: false, error_code: status, description, parameters }, { status })
}

/** Answers like this one after the other, the last one from then on. */
function inTurn(...answers: (() => Response | Promise<Response>)[]) {
  return () => (answers.length > 1 ? answers.shift() : answers[0])?.() as Response
}

async function stateOf({ application }: Pick<Awaited<ReturnType<typeof dueDigest>>, 'application'>) {
  const [subscription] = await listed(application)
  return { on: subscription.is_on, problem: subscription.problem, ...subscription.deliveries[0] }
}

describe('a message', () => {
  it('goes to the chat once, with a button that opens the page there, in any order of cron and the queue', async () => {
    const { notifier, telegramId, application } = await dueDigest()
    await Promise.all([notifier.enqueue(NOW), notifier.enqueue(NOW)])
    const tasks = notifier.tasks.splice(0)
    expect(tasks.length).toBeGreaterThan(0)
    await Promise.all([notifier.work(NOW, tasks), notifier.work(NOW, tasks)])
    await notifier.work(NOW, tasks)
    await notifier.run(NOW)
    await notifier.run(NOW + 5 * MINUTE_MS)
    expect(notifier.sent).toHaveLength(1)
    const [{ url, body }] = notifier.sent as [Sent]
    expect(url).toBe(`https://api.telegram.org/bot${TOKEN}/sendMessage`)
    const button = { text: 'Open', web_app: { url: `https://mauve.test/dashboard/${application.handle}` } }
    expect(body).toMatchObject({ chat_id: telegramId, reply_markup: { inline_keyboard: [[button]] } })
    expect(body.text).toMatch(/\n\nTo stop these messages, send \/stop here\.$/)
  })

  it('a message to a group goes to its topic', async () => {
    const { id, notifier, application, telegramId } = await dueDigest()
    const consent = 'insert into consents values (-1001234567890, ?, ?, 0)'
    await env.DB.prepare(consent).bind(application.accountId, telegramId).run()
    const target = JSON.stringify({ type: 'chat', chat_id: '-1001234567890', topic_id: 7 })
    const update = 'update subscriptions set target = ?, telegram_id = null where id = ?'
    await env.DB.prepare(update).bind(target, id).run()
    await notifier.run(NOW)
    expect(notifier.sent).toHaveLength(1)
    const [{ body }] = notifier.sent as [Sent]
    expect(body).toMatchObject({ chat_id: '-1001234567890', message_thread_id: 7 })
    expect(body.reply_markup.inline_keyboard[0][0]).toMatchObject({
      url: expect.stringContaining('https://mauve.test/'),
    })
  })

  it('waits as long as the messenger asks after a 429', async () => {
    const made = await dueDigest(inTurn(refusal(429, 'Too Many Requests: retry after 400', { retry_after: 400 }), OK))
    await made.notifier.run(NOW)
    expect(await stateOf(made)).toMatchObject({ status: 'waiting', http_status: 429 })
    await made.notifier.run(NOW + 300_000)
    expect(made.notifier.sent).toHaveLength(1)
    await made.notifier.run(NOW + 400_000)
    await made.notifier.run(NOW + 900_000)
    expect(made.notifier.sent).toHaveLength(2)
    expect(await stateOf(made)).toMatchObject({ status: 'sent', http_status: 200 })
  })

  it.each([
    [403, 'Forbidden: bot was blocked by the user'],
    [400, 'Bad Request: chat not found'],
  ])('switches its subscription off after a %d, which says so', async (status, description) => {
    const made = await dueDigest(refusal(status, description))
    await made.notifier.run(NOW)
    expect(await stateOf(made)).toMatchObject({ on: false, problem: `Switched off: ${description}`, status: 'failed' })
    await made.notifier.run(NOW + 2 * DAY_MS)
    expect(made.notifier.sent).toHaveLength(1)
    expect(await change(made.application, made.id, { is_on: true })).toMatchObject({ is_on: true, problem: null })
  })

  it('is tried again after a 500, with growing pauses and for a day', async () => {
    const made = await dueDigest(refusal(500, 'Internal Server Error'))
    const tries: number[] = []
    for (let at = NOW; at < NOW + 1.5 * DAY_MS; at += 60 * MINUTE_MS) {
      const before = made.notifier.sent.length
      await made.notifier.run(at)
      // Nothing else of it is due.
      await setDue(made.id, NOW + 3 * DAY_MS)
      if (made.notifier.sent.length > before) tries.push(at)
    }
    const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? 0))
    expect(tries.length).toBeGreaterThan(5)
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
    expect((tries.at(-1) ?? 0) - NOW).toBeLessThan(DAY_MS)
    expect(await stateOf(made)).toMatchObject({ on: true, status: 'failed' })
  })

  it('is tried again after an error page', async () => {
    const broken = () => new Response('<html>Bad Gateway</html>', { status: 502 })
    const made = await dueDigest(inTurn(broken, OK))
    await made.notifier.run(NOW)
    expect(await stateOf(made)).toMatchObject({ status: 'waiting', http_status: 502 })
    await made.notifier.run(NOW + 5 * MINUTE_MS)
    expect(await stateOf(made)).toMatchObject({ status: 'sent' })
  })

  it('a message without an answer is not sent again, as it may have arrived; and the token is in no line of the log', async () => {
    const lines: string[] = []
    const spies = (['log', 'error'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((line) => void lines.push(String(line))),
    )
    const made = await dueDigest(({ url }) => Promise.reject(new TypeError(`connection to ${url} lost`)))
    await made.notifier.run(NOW)
    // Nothing else of it is due.
    await setDue(made.id, NOW + 3 * DAY_MS)
    await made.notifier.run(NOW + DAY_MS / 2)
    for (const spy of spies) spy.mockRestore()
    expect(made.notifier.sent).toHaveLength(1)
    expect(await stateOf(made)).toMatchObject({
      on: true,
      status: 'failed',
      answer: expect.stringContaining('may have'),
    })
    expect(JSON.stringify([lines, await listed(made.application)])).not.toContain(TOKEN)
  })

  it('whose sending was interrupted is not sent again', async () => {
    const made = await dueDigest()
    await made.notifier.enqueue(NOW)
    const content = JSON.stringify({ text: 'Yesterday', path: '/dashboard', data: {} })
    const interrupted = "update deliveries set status = 'sending', attempts = 1, content = ? where subscription_id = ?"
    await env.DB.prepare(interrupted).bind(content, made.id).run()
    await made.notifier.finish(NOW)
    expect(made.notifier.sent).toEqual([])
    expect(await stateOf(made)).toMatchObject({ status: 'failed', answer: expect.stringContaining('may have') })
  })

  it('is not lost with the queue', async () => {
    const { notifier } = await dueDigest()
    await notifier.enqueue(NOW)
    notifier.tasks.splice(0)
    await notifier.run(NOW + 5 * MINUTE_MS)
    expect(notifier.sent).toHaveLength(1)
  })

  it('is for members only, from the next run on and while it waits', async () => {
    const removed = await dueDigest()
    const waiting = await dueDigest()
    await waiting.notifier.enqueue(NOW)
    for (const { application, telegramId } of [removed, waiting]) {
      const { accountId } = application
      await env.DB.prepare('delete from members where account_id = ?').bind(accountId).run()
      expect(await removeMember(openDatabase(env.DB), { accountId, telegramId })).toBe(false)
    }
    await removed.notifier.run(NOW)
    await waiting.notifier.finish(NOW)
    expect([...removed.notifier.sent, ...waiting.notifier.sent]).toEqual([])
  })

  it('is deleted with its member', async () => {
    const { application, telegramId, notifier } = await dueDigest()
    const { accountId } = application
    expect(await removeMember(openDatabase(env.DB), { accountId, telegramId })).toBe(true)
    await addTestMember(application, telegramId)
    expect(await listed(application)).toEqual([])
    await notifier.run(NOW)
    expect(notifier.sent).toEqual([])
  })
})

describe('thirty digests of one application that are due in the same minute', () => {
  async function thirtyDue() {
    const { application, id, telegramId } = await dueDigest()
    const rule = { type: 'digest', every: 'daily', hour: HOUR, time_zone: 'UTC' }
    for (let number = 2; number <= 30; number++) {
      const target = { type: 'member', telegram_id: telegramId }
      const { id } = await subscribe(application, { name: `Morning ${number}`, rule, target })
      await setDue(id, NOW)
    }
    return { application, id }
  }

  it('are sent one after another without waiting for cron', async () => {
    await thirtyDue()
    const notifier = createNotifier()
    await notifier.enqueue(NOW)
    expect(await notifier.drain(NOW)).toBe(NOW)
    expect(notifier.sent).toHaveLength(30)
  })

  it('are sent within a minute if questions fail at first', async () => {
    await thirtyDue()
    const notifier = createNotifier({ APPLICATIONS: awayFor(120) })
    await notifier.enqueue(NOW)
    expect(await notifier.drain(NOW)).toBeLessThanOrEqual(NOW + MINUTE_MS)
    expect(notifier.sent).toHaveLength(30)
  })
})

/** Objects whose first calls fail. */
function awayFor(calls: number): Env['APPLICATIONS'] {
  let left = calls
  return new Proxy(env.APPLICATIONS, {
    get(target, name) {
      if (name === 'getByName' && left-- > 0) throw new Error('The object is away')
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
