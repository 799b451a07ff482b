import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../../src/commands/requests.ts'
import { addressOf, expectFailure, type Outcome, runHere, setVariables } from '../command.ts'

const running: Server[] = []
let demo: (args: string[]) => Promise<void>

beforeAll(async () => {
  setVariables({ PORT: '1' })
  // Loaded only now: it reads the variables.
  demo = (await import('../../../src/commands/demo/demo.ts')).demo
})

afterEach(() => {
  for (const server of running.splice(0)) server.close()
})

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handle)
  running.push(server)
  return addressOf(server)
}

type Answer = readonly [status: number, body: unknown, after?: number]

/** Gives these answers one after the other, and the last one again and again; `after` is `Retry-After`. */
function answering(...answers: readonly Answer[]): Promise<string> {
  const left = [...answers]
  return serve((request, response) => {
    const [status, body, after = 0] = (left.length > 1 ? left.shift() : left[0]) as Answer
    const headers = after > 0 ? { 'retry-after': String(after) } : {}
    request.resume().on('end', () => response.writeHead(status, headers).end(JSON.stringify(body)))
  })
}

/** Takes events; `before` is called with the number of each request of them, and may give another answer. */
function taking(events: unknown[], before: (request: number) => object | undefined = () => undefined): Promise<string> {
  let requests = 0
  return serve(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const isOfEvents = request.method === 'POST'
    const refusal = isOfEvents ? before(++requests) : undefined
    const sent: unknown[] = isOfEvents && !refusal ? JSON.parse(Buffer.concat(pieces).toString()).events : []
    events.push(...sent)
    expect(sent.length).toBeLessThanOrEqual(500)
    response.writeHead(refusal ? 401 : 200).end(JSON.stringify(refusal ?? { accepted: sent.length }))
  })
}

function send(url: string, ...args: string[]): Promise<Outcome> {
  return runHere(() => demo(['--url', url, '--key', 'k', '--events', '12000', '--days', '20', ...args]))
}

describe('sending', () => {
  it('sends every event once, and says how many', async () => {
    const events: unknown[] = []
    const { code, stdout } = await send(await taking(events))
    expect(code).toBe(0)
    expect(new Set(events.map((event) => JSON.stringify(event))).size).toBe(events.length)
    expect(Math.abs(events.length - 12_000)).toBeLessThan(2_000)
    expect(stdout).toContain(`Sent ${events.length.toLocaleString('en-US')} events in `)
    expect(stdout.match(/^\d+ %/gm)?.length).toBeGreaterThan(8)
  })

  it('ends with the first failure', async () => {
    let requests = 0
    const refuse = (request: number) => {
      requests = request
      return request === 6 ? { detail: 'Enough.' } : undefined
    }
    expectFailure(await send(await taking([], refuse)), 'refused this with 401: Enough.')
    expect(requests).toBeLessThan(16)
  })

  it('ends with Ctrl-C, and says how to continue', async () => {
    let requests = 0
    const interrupt = (request: number) => {
      requests = request
      if (request === 3) process.emit('SIGINT')
      return undefined
    }
    const { code, stderr } = await send(await taking([], interrupt))
    expect({ code, stderr }).toEqual({ code: 130, stderr: expect.stringContaining('Run it again to continue') })
    expect(requests).toBeLessThan(8)
  })

  it('checks the key before it sends anything', async () => {
    const url = await answering([401, { detail: 'This API key is unknown.' }])
    const outcome = await send(url)
    expectFailure(outcome, 'refused this with 401: This API key is unknown. Check the address, the key')
    expect(outcome.stdout).toBe('')
  })

  it('sending has, by default, 100,000 events of 90 days for the service at PORT', async () => {
    const nobody = await runHere(() => demo(['--key', 'k']))
    expectFailure(nobody, /^Nothing answers at http:\/\/localhost:1 \(.+\)\. Start the service/)
    const url = await taking([], () => ({ detail: 'Enough.' }))
    const { stdout } = await runHere(() => demo(['--key', 'k', '--url', `${url}/`]))
    expect(stdout).toMatch(`Sending about 100,000 events of 90 days to ${url}. `)
  })

  it.each([
    [['--events', '0'], '--events is "0", but must be a whole number from 100 to 10000000'],
    [['--events', '-5'], "'--events' argument is ambiguous"],
    [['--days', 'ten'], '--days is "ten", but must be a whole number from 1 to 1800'],
    [['--days'], "'--days <value>' argument missing"],
    [['--url', 'localhost:8787'], '--url is "localhost:8787"'],
    [['--key', 'naïve'], '"naïve" is neither a key nor a project id'],
    [['--colour', 'mauve'], 'There is no option --colour. Show all options with --help.'],
    [['now'], "Unexpected argument 'now'"],
  ])('refuses %j by name', async (args, sentence) => expectFailure(await runHere(() => demo(args)), sentence))

  it('shows its help', async () => {
    expect((await runHere(() => demo(['--help']))).stdout).toContain('npm run demo -- --events 1000000 --days 180')
  })
})

describe('a request', () => {
  const get = async (...answers: readonly Answer[]) => {
    const service = { address: await answering(...answers), apiKey: 'k', project: null, signal: NEVER }
    return ask(service, (api) => api.POST('/v1/client/events', { body: { events: [] } }), {
      isOurs: ({ accepted }) => accepted === 0,
    })
  }
  const NEVER = new AbortController().signal

  it('is tried again while the service is busy', async () => {
    await expect(get([503, { detail: 'Later.' }], [200, { accepted: 0 }])).resolves.toEqual({ accepted: 0 })
  })

  it('is tried again no sooner than the service asks', async () => {
    const start = performance.now()
    await get([429, { detail: 'Too many requests.' }, 1], [200, { accepted: 0 }])
    expect(performance.now() - start).toBeGreaterThan(990)
  })

  it.each([
    [429, { detail: 'The quota is spent for today.' }, 'refused this with 429: The quota is spent for today.'],
    [401, { detail: 'This API key is unknown.' }, 'refused this with 401: This API key is unknown.'],
    [403, { detail: 'No.' }, 'refused this with 403: No. Check the address, the key and the application.'],
    [422, { detail: [{ loc: ['body', 3, 'datetime'], msg: 'Too old', type: 'x' }] }, '422: body.3.datetime: Too old'],
    [200, 'hello', 'is not Mauve'],
    [200, { accepted: 1 }, 'is not Mauve'],
  ])('fails for good with %i and says why', async (status, body, sentence) => {
    // A quota asks for a pause until tomorrow.
    await expect(get([status, body, status === 429 ? 40_000 : 0])).rejects.toThrow(sentence)
  })
})
