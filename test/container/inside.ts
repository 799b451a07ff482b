/** Runs the image in its own namespace: called by run.ts, with the folder of its work and the layer of the image. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { readStages, textOf } from './dockerfile.ts'

const [folder = '', LAYER = ''] = process.argv.slice(2)
const final = readStages().at(-1)
assert(final)
const MERGED = join(folder, 'container')
/** An address of the "machine", at which others would reach the container. */
const OUTSIDE = '10.9.8.7'
const PROXIED_AT = 'https://mauve.example'
const PORT = Number(textOf(final, 'EXPOSE'))
const START_MS = 120_000
/** Docker waits for ten seconds. */
const STOP_MS = 10_000

execFileSync('ip', ['link', 'set', 'lo', 'up'])
execFileSync('ip', ['address', 'add', `${OUTSIDE}/32`, 'dev', 'lo'])
const work = join(folder, 'container-work')
for (const path of [MERGED, work]) mkdirSync(path)
const layers = `lowerdir=/,upperdir=${LAYER},workdir=${work}`
const began = Date.now()
execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', layers, MERGED])
execFileSync('mount', ['--rbind', '/dev', join(MERGED, 'dev')])
execFileSync('mount', ['-t', 'proc', 'proc', join(MERGED, 'proc')])

const first = await start({})
const key = lineOf(first, 'API key')
const event = { event_type: 'Last words', telegram_id: 7, datetime: Date.now() }
const sent = await ask({ path: '/v1/client/events', headers: { 'x-api-key': key }, body: event })
assert.equal(sent.status, 200)
await stop(first)

const second = await start({ MAUVE_ADDRESS: PROXIED_AT })
assert.equal(lineOf(second, 'API key'), key)
const { body } = await ask({ path: '/users/segmentation', headers: { 'x-api-key': key } })
assert.equal(JSON.parse(body).data[0].total_events, 1)
const link = new URL(lineOf(second, 'Dashboard'))
assert.equal(link.origin, PROXIED_AT)
// As Caddy passes it on.
const proxied = { host: link.host, origin: link.origin, 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' }
const signedIn = await ask({
  path: '/sign-in',
  headers: proxied,
  form: { token: link.searchParams.get('token') ?? '' },
})
assert.equal(signedIn.status, 303)
assert.match(String(signedIn.headers['set-cookie']), /^__Host-mauve=.*; Secure/)
await stop(second)

const databases = globSync(join(LAYER, 'data', 'state', '**', '*.sqlite'))
assert(databases.length >= 4)
for (const file of databases) {
  using db = new DatabaseSync(file)
  assert.deepEqual({ ...db.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' }, file)
}
const files = execFileSync('find', [LAYER, '-type', 'f', '-newermt', `@${began / 1000}`], { encoding: 'utf8' })
const written = files
  .trim()
  .split('\n')
  .map((file) => file.slice(LAYER.length))
assert(written.includes('/data/demo.json'))
const elsewhere = written.filter((path) => !/^\/(data|tmp|home\/node|dev\/shm)\//.test(path))
assert.deepEqual(elsewhere, [])
for (const name of ['.dev.vars', 'demo.json', 'state']) {
  assert.deepEqual(
    [statSync(join(LAYER, 'data', name)).uid, statSync(join(LAYER, 'data', name)).mode & 0o077],
    [1000, 0],
  )
}
console.log('Everything it wrote is in the volume, whole, and closed to others.')

interface Container {
  readonly process: ChildProcess
  readonly printed: { text: string }
}

async function start(variables: Record<string, string>): Promise<Container> {
  const began = performance.now()
  const command = JSON.parse(textOf(final as never, 'CMD')) as string[]
  const child = spawn('chroot', [MERGED, ...asUser(command)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment(variables),
  })
  const printed = { text: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed.text += chunk
  })
  while (!(printed.text.includes('Reference: ') && isHealthy())) {
    assert(child.exitCode === null && performance.now() - began < START_MS, `It does not start:\n${printed.text}`)
    await sleep(500)
  }
  console.log(`Healthy after ${seconds(began)} s.`)
  return { process: child, printed }
}

/** Runs what the image calls its health check. */
function isHealthy(): boolean {
  const [, command = ''] = / CMD (.*)$/.exec(` ${textOf(final as never, 'HEALTHCHECK')}`) ?? []
  return spawnSync('chroot', [MERGED, ...asUser(['sh', '-c', command])], { env: environment({}) }).status === 0
}

async function stop({ process: child }: Container): Promise<void> {
  const began = performance.now()
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const [code] = await ended
  assert.equal(code, 0)
  assert(performance.now() - began < STOP_MS)
  console.log(`Ended ${seconds(began)} s after SIGTERM.`)
}

function asUser(command: readonly string[]): string[] {
  const user = textOf(final as never, 'USER')
  const inFolder = ['sh', '-c', `cd ${textOf(final as never, 'WORKDIR')} && exec "$@"`, 'sh', ...command]
  return ['setpriv', '--reuid', user, '--regid', user, '--clear-groups', '--no-new-privs', ...inFolder]
}

function environment(variables: Record<string, string>): NodeJS.ProcessEnv {
  const [name = '', value = ''] = textOf(final as never, 'ENV').split('=')
  const own = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin', HOME: '/home/node', [name]: value }
  return { ...own, ...variables } as unknown as NodeJS.ProcessEnv
}

function lineOf({ printed }: Container, name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(printed.text)?.[1] ?? ''
}

interface Asked {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: object
  readonly form?: Record<string, string>
}

/** Asks as a proxy does: to the port, with any host. */
async function ask({ path, headers, body, form }: Asked) {
  const text = form ? new URLSearchParams(form).toString() : body && JSON.stringify(body)
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  const options = { host: OUTSIDE, port: PORT, path, method: text ? 'POST' : 'GET' }
  const sending = request({ ...options, headers: { ...headers, ...(text && { 'content-type': type }) } })
  sending.end(text)
  const [response] = await once(sending, 'response')
  let answer = ''
  for await (const chunk of response) answer += chunk
  return { status: response.statusCode as number, headers: response.headers, body: answer }
}

function seconds(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1)
}
