import { once } from 'node:events'
import { chmod, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readPort } from '../../src/commands/command-line.ts'
import { Client, storedEvents } from '../faults/client.ts'
import { expectFailure, newState, type Outcome, type Running, removeState, startCommand } from './command.ts'
import { familyOf, nameOf, runningOf } from './processes.ts'

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'
/** Only there are processes listed for everybody to read. */
const ON_LINUX = process.platform === 'linux'
const TELEGRAM_ID = 2 ** 40 + 7
const PROXIED_AT = 'https://mauve.example'

interface Lines {
  readonly address: string
  readonly key: string
  readonly projectId: string
}

let state: string
let port: number
let service: Running
let signInLink: string
let accountId: string

beforeAll(async () => {
  state = await newState()
  port = await freePort()
  await chmod(state, 0o755)
  // As an older copy left it, and somebody else's.
  for (const name of ['service.log', 'notes.txt']) {
    await writeFile(join(state, name), '')
    await chmod(join(state, name), 0o644)
  }
})

afterAll(async () => {
  if (service) await endAll(service)
  await removeState(state)
})

/** Also where a test failed half-way, and a start hangs. */
async function endAll({ process, ended }: Running): Promise<void> {
  const family = ON_LINUX && process.exitCode === null ? familyOf(process.pid as number) : []
  process.kill('SIGTERM')
  await ended
  for (const pid of family.length > 0 ? runningOf(family) : []) globalThis.process.kill(pid, 'SIGKILL')
}

async function listen(port = 0): Promise<Server> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server
}

async function freePort(): Promise<number> {
  const server = await listen()
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

function launch(port: number, variables: Record<string, string> = {}): Running {
  return startCommand('start', [], { MAUVE_STATE: state, PORT: String(port), ...variables })
}

/** Starts the service; returns what lines say that stay the same, and keeps the link, which is another each time. */
async function start(variables: Record<string, string> = {}): Promise<Lines> {
  service = launch(port, variables)
  const { process, printed } = service
  const isThere = () => process.exitCode !== null || /^Project id: .*\n/m.test(printed.stdout)
  await vi.waitUntil(isThere, { timeout: 150_000, interval: 50 }).catch(() => undefined)
  const lines = new RegExp(`^Dashboard: (\\S+)\nAddress: (\\S+)\nAPI key: (${UUID})\nProject id: (${UUID})$`, 'm')
  expect(printed).toEqual({ stdout: expect.stringMatching(lines), stderr: '' })
  const [, link = '', address = '', key = '', projectId = ''] = lines.exec(printed.stdout) ?? []
  signInLink = link
  return { address, key, projectId }
}

function read({ address, key, projectId }: Lines, path: string): Promise<Response> {
  const headers = { 'x-api-key': key, authorization: `Bearer ${key}`, 'x-project-id': projectId }
  return fetch(address + path, { headers })
}

/** Asks with any host, as a proxy does. */
async function send(path: string, options: RequestOptions, body?: string): Promise<IncomingMessage> {
  const sending = request({ host: '127.0.0.1', port, path, ...options })
  sending.end(body)
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  response.resume()
  return response
}

function modesOf(...names: string[]): Promise<number[]> {
  return Promise.all(names.map(async (name) => (await stat(join(state, name))).mode & 0o777))
}

async function usersOf(lines: Lines): Promise<unknown> {
  return ((await (await read(lines, '/users/segmentation')).json()) as { data: unknown }).data
}

async function collect({ address, key }: Lines): Promise<void> {
  const response = await fetch(`${address}/v1/client/events`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ event_type: 'Last words', telegram_id: TELEGRAM_ID, datetime: Date.now() }),
  })
  expect(response.status).toBe(200)
}

async function stop(signal: NodeJS.Signals): Promise<Outcome> {
  globalThis.process.kill(-(service.process.pid as number), signal)
  return service.ended
}

function expectStopped({ code, stdout, stderr }: Outcome): void {
  expect(stdout).toMatch(/Stopped\.\n$/)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
}

function startLoad(client: Client): { stop(): Promise<void> } {
  const end = new AbortController()
  const sending = client.send(4, end.signal)
  return {
    stop: () => {
      end.abort()
      return sending
    },
  }
}

async function moreEvents(client: Client, events: number): Promise<void> {
  const enough = client.events + events
  await vi.waitUntil(() => client.events >= enough, { timeout: 20_000, interval: 5 })
}

function killRuntime(): void {
  const runtime = familyOf(service.process.pid as number).find((pid) => nameOf(pid) === 'workerd')
  try {
    if (runtime) process.kill(runtime, 'SIGKILL')
  } catch (error) {
    // The one before, still listed while it ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Every event once: what was answered with 200, and what was there before. */
async function expectStored(
  { address, key }: Lines,
  client: Client,
  before = new Map<number, number>(),
): Promise<void> {
  const users = new Set([...client.answered.keys(), ...before.keys()])
  const expected = [...users].map((user) => [user, (client.answered.get(user) ?? 0) + (before.get(user) ?? 0)] as const)
  const stored = () => storedEvents({ url: address, key })
  await vi.waitFor(async () => expect(await stored()).toEqual(new Map(expected)), { timeout: 30_000, interval: 200 })
}

/** Each goes on where the one before ended: a start takes many seconds. */
describe('a service that is started, stopped and started again', () => {
  let first: Lines
  let family: number[]

  it('prints its address, key and project id', async () => {
    first = await start()
    expect(first.address).toBe(`http://localhost:${port}`)
  })

  it('keeps its data and its log readable to their owner only, and does not touch other files', async () => {
    const modes = await modesOf('state', 'service.log', 'demo.json', '.', 'notes.txt')
    expect(modes.map((mode) => mode.toString(8))).toEqual(['700', '600', '600', '755', '644'])
  })

  it('answers that key', async () => {
    expect((await read(first, '/v1/client/config')).status).toBe(200)
    expect(await usersOf(first)).toEqual([])
    const handles = await read(first, '/enterprise/available-handles')
    expect(await handles.json()).toEqual(['lemon_shop_bot'])
  })

  it('ignores where a client says it comes from, and lets no page run cron', async () => {
    const config = `${first.address}/v1/client/config`
    const known = { authorization: `Bearer ${first.key}`, 'x-project-id': first.projectId }
    const elsewhere = await fetch(config, {
      headers: { ...known, 'mf-original-url': config.replace('localhost', 'evil') },
    })
    expect([elsewhere.status, await elsewhere.json()]).toEqual([
      200,
      await (await fetch(config, { headers: known })).json(),
    ])
    const cron = `${first.address}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('*/5 * * * *')}`
    for (const headers of [{}, { host: 'evil.example' }]) expect((await fetch(cron, { headers })).status).toBe(404)
    expect((await send('/health', { headers: { host: `evil.example:${port}` } })).statusCode).toBe(421)
    expect((await fetch(config, { headers: { 'mf-original-url': cron } })).status).toBe(401)
    const statusFrom = async (index: number) => {
      const headers = { ...known, 'cf-connecting-ip': `10.0.${index}.1`, 'x-forwarded-for': `10.0.${index}.1` }
      const response = await fetch(config, { headers })
      await response.arrayBuffer()
      return response.status
    }
    // One address may ask 200 times in ten seconds. What is asked at the same time may all be answered before it is counted.
    const statuses: number[] = []
    for (let tries = 0; tries < 3 && !statuses.includes(429); tries += 1)
      statuses.push(...(await Promise.all(Array.from({ length: 450 }, (_, index) => statusFrom(index)))))
    expect(statuses).toContain(429)
  })

  it('signs in to the pages of the demo account, once', async () => {
    const { origin, searchParams } = new URL(signInLink)
    expect(origin).toBe(first.address)
    const signIn = () =>
      fetch(`${origin}/sign-in`, {
        method: 'POST',
        headers: { origin },
        body: new URLSearchParams({ token: searchParams.get('token') ?? '' }),
        redirect: 'manual',
      })
    const signedIn = await signIn()
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/dashboard'])
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(await (await fetch(`${origin}/dashboard`, { headers: { cookie } })).text()).toContain('Demo')
    expect((await signIn()).status).toBe(422)
  })

  it('answers the key of an account that is created meanwhile', async () => {
    const args = ['create', '--name', 'Meanwhile', '--json', '--show-secrets']
    const { stdout } = await startCommand('account', args, { MAUVE_STATE: state }).ended
    accountId = JSON.parse(stdout).accountId
    const headers = { 'x-api-key': JSON.parse(stdout).apiKey }
    const response = await fetch(`${first.address}/enterprise/available-handles`, { headers })
    expect(await response.json()).toEqual([])
  })

  it('is found by commands, wherever it runs', async () => {
    const args = ['sign-in', '--account', accountId, '--json', '--show-secrets']
    const found = await startCommand('account', args, {}).ended
    expect(found.stderr).toBe(`Using the service at ${first.address} (MAUVE_STATE=${state}).\n`)
    expect(JSON.parse(found.stdout).signInLink).toMatch(`${first.address}/sign-in?token=`)
    // What is set wins.
    const named = await startCommand('account', args, { MAUVE_STATE: state, PORT: '4711' }).ended
    expect(JSON.parse(named.stdout).signInLink).toMatch('http://localhost:4711/sign-in?token=')
    const elsewhere = await startCommand('account', args, { MAUVE_STATE: join(state, 'other') }).ended
    expectFailure(elsewhere, 'There is no database yet')
  })

  it('ends with 0 after Ctrl-C', async () => {
    if (ON_LINUX) family = familyOf(service.process.pid as number)
    await collect(first)
    expectStopped(await stop('SIGINT'))
    const server = await listen(port)
    server.close()
  })

  it.runIf(ON_LINUX)('leaves no process', async () => {
    expect(family.length).toBeGreaterThan(2)
    await vi.waitFor(() => expect(runningOf(family)).toEqual([]), 60_000)
  })

  it('has the same key and project id when it is started again, and the event sent just before it was stopped', async () => {
    expect(await start()).toEqual(first)
    expect(await usersOf(first)).toEqual([expect.objectContaining({ telegram_id: TELEGRAM_ID, total_events: 1 })])
  })

  it('keeps what it was sent when its terminal is closed', async () => {
    await collect(first)
    expectStopped(await stop('SIGHUP'))
    expect(await start({ MAUVE_ADDRESS: `${PROXIED_AT}/` })).toEqual({ ...first, address: PROXIED_AT })
    expect(await usersOf(first)).toEqual([expect.objectContaining({ total_events: 2 })])
  })

  it("takes the client's address from a proxy in front of it, and from nobody else", async () => {
    const { host } = new URL(PROXIED_AT)
    const token = new URL(signInLink).searchParams.get('token') ?? ''
    const headers = { host, origin: PROXIED_AT, 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams({ token }).toString()
    const signedIn = await send('/sign-in', { method: 'POST', headers }, body)
    expect(signedIn.statusCode).toBe(303)
    expect(signedIn.headers['set-cookie']?.[0]).toMatch(/^__Host-mauve=.*; Secure/)

    const key = { authorization: `Bearer ${first.key}` }
    const statuses = async (own: (index: number) => Record<string, string>) => {
      const all = Array.from({ length: 450 }, (_, index) =>
        send('/v1/client/config', { headers: { ...key, ...own(index) } }),
      )
      return new Set((await Promise.all(all)).map(({ statusCode }) => statusCode))
    }
    // What a client says of itself comes before what the proxy adds.
    const among = (index: number) => `203.0.113.7, 10.${index >> 8}.${index & 255}.1`
    await vi.waitUntil(async () => (await statuses((index) => ({ 'x-forwarded-for': among(index) }))).has(429), 20_000)
    expect(await statuses((index) => ({ host, 'x-forwarded-for': among(index) }))).toEqual(new Set([200]))
  })

  it.runIf(ON_LINUX)(
    'stores what it answered with 200, though its runtime is killed three times under load',
    async () => {
      const client = new Client({ url: first.address, key: first.key, random: Math.random })
      const load = startLoad(client)
      for (let kill = 0; kill < 3; kill++) {
        await moreEvents(client, 20)
        killRuntime()
      }
      await load.stop()
      await client.settle()
      await expectStored(first, client)
    },
    120_000,
  )

  it.runIf(ON_LINUX)('takes its runtime with it when it is killed, and loses nothing either', async () => {
    const before = await storedEvents({ url: first.address, key: first.key })
    const client = new Client({ url: first.address, key: first.key, random: Math.random })
    const load = startLoad(client)
    await moreEvents(client, 100)
    const members = familyOf(service.process.pid as number)
    service.process.kill('SIGKILL')
    await load.stop()
    await vi.waitFor(() => expect(runningOf(members)).toEqual([]), 60_000)
    expect(await start()).toEqual(first)
    await client.settle()
    await expectStored(first, client, before)
  })

  it('is the only one on its folder', async () => {
    const outcome = await launch(await freePort()).ended
    expect(outcome).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(`is running on ${state}. Stop it`) })
  })

  it('ends with 0 on SIGTERM', async () => {
    service.process.kill('SIGTERM')
    expectStopped(await service.ended)
  })

  it('does not begin with an empty database where its own is gone', async () => {
    const databases = join(state, 'state', 'v3', 'd1')
    await rename(databases, `${databases}-elsewhere`)
    const outcome = await launch(port).ended
    expectFailure(outcome, /The database DB is missing or empty.*\nRestore a backup .*\n.*move this folder away: /)
    await rm(databases, { recursive: true, force: true })
    await rename(`${databases}-elsewhere`, databases)
  })

  it('does not begin where a restore did not finish', async () => {
    await writeFile(join(state, 'restoring.json'), JSON.stringify({ backup: '/monday', aside: '/aside' }))
    expectFailure(await launch(port).ended, 'A restore did not finish')
    await rm(join(state, 'restoring.json'))
  })

  it('says what to do when its database is damaged', async () => {
    await damage(join(state, 'state', 'v3', 'd1', 'miniflare-D1DatabaseObject'))
    service = launch(port)
    const outcome = await service.ended
    expectFailure(outcome, 'The local database cannot be migrated. ')
    expect(outcome.stderr).toContain(join(state, 'state'))
    expect(outcome.stderr).toContain('move that folder away')
    expect(outcome.stdout).not.toContain('API key')
  })
})

async function damage(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((file) => !file.startsWith('metadata'))
  expect(files).toContainEqual(expect.stringMatching(/\.sqlite$/))
  for (const file of files) {
    if (file.endsWith('.sqlite')) await writeFile(join(folder, file), 'no database '.repeat(1000))
    else await rm(join(folder, file))
  }
}

describe('a start that cannot be', () => {
  it('says which option there is not', async () => {
    const outcome = await startCommand('start', ['--prot', '1'], { MAUVE_STATE: state }).ended
    expect(outcome).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^There is no option --prot\. .*--help/),
    })
  })

  it('says that the port is in use, and how to take another', async () => {
    const server = await listen()
    const { port } = server.address() as AddressInfo
    const outcome = await launch(port).ended
    server.close()
    const sentence = `Port ${port} is in use. Stop the program that uses it, or choose another: PORT=${port + 1} npm start`
    expect(outcome).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` })
  })

  it.each(['abc', '0', '-1', '65536', '80.5'])('says that %s is no port', (text) => {
    expect(() => readPort(text)).toThrow(`PORT is "${text}", but must be a whole number from 1 to 65535.`)
  })
})
