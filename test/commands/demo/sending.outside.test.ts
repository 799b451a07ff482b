import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { deliver } from '../../../src/commands/demo/delivery.ts'
import { history } from '../../../src/commands/demo/history.ts'
import { readOptions } from '../../../src/commands/demo/options.ts'
import { requireService, sendEvents } from '../../../src/commands/demo/service.ts'
import type { DemoEvent } from '../../../src/commands/demo/session.ts'

const DAYS = [...history({ events: 12_000, days: 20, now: Date.parse('2026-11-20T10:40:00Z') })]
const running: Server[] = []

afterEach(() => {
  for (const server of running.splice(0)) server.close()
})

const never = () => new AbortController().signal
const serviceAt = (address: string) => ({ address, apiKey: 'key', project: null, signal: never() })

/** A service that gives these answers, one after the other, and the last one again and again; `after` = `Retry-After`. */
async function serve(
  ...answers: readonly (readonly [status: number, body: unknown, after?: number])[]
): Promise<string> {
  const left = [...answers]
  const server = createServer((request, response) => {
    const [status, body, after = 0] = (left.length > 1 ? left.shift() : left[0]) as (typeof answers)[number]
    const headers = after > 0 ? { 'retry-after': String(after) } : {}
    request.resume().on('end', () => response.writeHead(status, headers).end(JSON.stringify(body)))
  })
  running.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('delivering', () => {
  it('sends every event once, at most 500 in a request and 4 requests at a time', async () => {
    const sent: DemoEvent[] = []
    let [open, mostOpen] = [0, 0]
    const send = async (events: readonly DemoEvent[]) => {
      mostOpen = Math.max(mostOpen, ++open)
      expect(events.length).toBeLessThanOrEqual(500)
      await new Promise(setImmediate)
      sent.push(...events)
      open--
    }
    let told = 0
    await deliver(DAYS, { send, onSent: (count) => (told += count), signal: never() })
    expect(told).toBe(sent.length)
    expect(sent.toSorted((a, b) => a.datetime - b.datetime)).toEqual(
      DAYS.flat().toSorted((a, b) => a.datetime - b.datetime),
    )
    expect(mostOpen).toBe(4)
  })

  it('ends with the first failure', async () => {
    let calls = 0
    const send = async () => {
      const isSixth = ++calls === 6
      await new Promise(setImmediate)
      if (isSixth) throw new Error('enough')
    }
    await expect(deliver(DAYS, { send, onSent: () => {}, signal: never() })).rejects.toThrow('enough')
    expect(calls).toBeLessThan(16)
  })

  it('ends when it is told to', async () => {
    const stop = new AbortController()
    let calls = 0
    const send = async () => {
      if (++calls === 3) stop.abort()
    }
    await expect(deliver(DAYS, { send, onSent: () => {}, signal: stop.signal })).rejects.toThrow()
    expect(calls).toBeLessThan(8)
  })
})

describe('a request', () => {
  const send = (url: string) => sendEvents(serviceAt(url), [])

  it('is tried again while the service is busy', async () => {
    const url = await serve([503, { detail: 'Later.' }], [200, { accepted: 0 }])
    await expect(send(url)).resolves.toBeUndefined()
  })

  it('is tried again no sooner than the service asks', async () => {
    const start = performance.now()
    await send(await serve([429, { detail: 'Too many requests.' }, 1], [200, { accepted: 0 }]))
    expect(performance.now() - start).toBeGreaterThan(990)
  })

  it('is not tried again today where a quota of the day is spent', async () => {
    const url = await serve([429, { detail: 'The quota is spent for today.' }, 40_000])
    await expect(send(url)).rejects.toThrow('refused this with 429: The quota is spent for today.')
  })

  it('does not take any answer for a success', async () => {
    await expect(send(await serve([200, 'hello']))).rejects.toThrow('is not Mauve')
  })

  it.each([
    [401, { detail: 'This API key is unknown.' }, 'refused this with 401: This API key is unknown.'],
    [
      403,
      { detail: 'Not yours.' },
      'refused this with 403: Not yours. Check the address, the key and the application.',
    ],
    [422, { detail: [{ loc: ['body', 3, 'datetime'], msg: 'Too old', type: 'x' }] }, '422: body.3.datetime: Too old'],
  ])('tells what the service says with a %i', async (status, body, sentence) => {
    await expect(send(await serve([status, body]))).rejects.toThrow(sentence)
  })

  it('tells to start the service that does not run', async () => {
    const url = await serve([200, {}])
    running.pop()?.close()
    await expect(requireService(serviceAt(url))).rejects.toThrow('npm start')
  })
})

describe('the options', () => {
  it('have defaults', async () => {
    expect(await readOptions(['--key', 'k'], '9001')).toEqual({
      events: 100_000,
      days: 90,
      address: 'http://localhost:9001',
      apiKey: 'k',
      project: null,
    })
  })

  it('take all that the help names', async () => {
    const args = ['--events=500', '--days', '7', '--url', 'https://mauve.test/', '--key', 'k', '--project', 'p']
    const expected = { events: 500, days: 7, address: 'https://mauve.test', apiKey: 'k', project: 'p' }
    expect(await readOptions(args)).toEqual(expected)
    expect(await readOptions(['--help'])).toBeNull()
  })

  it.each([
    [['--events', '0'], '--events is "0", but must be a whole number from 100 to 10000000'],
    [['--events', '-5'], "'--events' argument is ambiguous"],
    [['--days', 'ten'], '--days is "ten", but must be a whole number from 1 to 1800'],
    [['--days'], "'--days' argument is ambiguous"],
    [['--url', 'localhost:8787'], '--url is "localhost:8787"'],
    [['--key', 'naïve'], '"naïve" is neither a key nor a project id'],
    [['--colour', 'mauve'], "Unknown option '--colour'"],
    [['now'], "Unexpected argument 'now'"],
  ])('%j are refused by name', async (args, sentence) => {
    await expect(readOptions([...args, '--project=p'])).rejects.toThrow(sentence)
  })
})
