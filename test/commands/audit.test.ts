import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { ROOT } from '../../src/commands/wrangler.ts'
import { expectFailure, type Outcome, startCommand } from './command.ts'

const BULK = '/-/npm/v1/security/advisories/bulk'
const QUICK = '/-/npm/v1/security/audits/quick'
const HOLE = { id: 1, url: 'https://example.org/1', title: 'A hole', severity: 'high', vulnerable_versions: '*' }

const registries: Server[] = []
afterEach(() => {
  for (const registry of registries.splice(0)) registry.close()
})

interface Registry {
  readonly address: string
  /** The bodies it was sent, by path. */
  readonly sent: Record<string, string>
}

/** A registry that has these kinds of audit and refuses all else. */
async function serve(answers: Readonly<Record<string, object>>): Promise<Registry> {
  const sent: Record<string, string> = {}
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const answer = answers[path]
    sent[path] = await text(request)
    response.writeHead(answer ? 200 : 405, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
  })
  registries.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, sent }
}

function audit({ address }: Registry, variables: Record<string, string> = {}): Promise<Outcome> {
  return startCommand('audit.ts', [], { CI: '', AUDIT: '', npm_config_registry: address, ...variables }).ended
}

it('is content where the registry knows no hole', async () => {
  const outcome = await audit(await serve({ [BULK]: {} }), { CI: 'true' })
  expect(outcome).toEqual({ code: 0, stdout: 'Audit of dependencies: no known hole.\n', stderr: '' })
})

it('fails at a hole, also where an audit may be missing', async () => {
  const outcome = await audit(await serve({ [BULK]: { hono: [HOLE] } }), { CI: 'true', AUDIT: 'skip' })
  expectFailure(outcome, /^Packages with known holes: .*hono \(high\)/)
})

it('asks in the older way where the registry refuses the newer one, about the packages that are deployed', async () => {
  const registry = await serve({ [QUICK]: { advisories: { 1: { ...HOLE, module_name: 'hono' } } } })
  expectFailure(await audit(registry), 'Packages with known holes: hono (high).')
  const { name, dependencies } = JSON.parse(registry.sent[QUICK] ?? '')
  expect(name).toBe('mauve')
  expect(dependencies.hono).toMatchObject({ version: expect.stringMatching(/^\d/) })
  expect(dependencies).not.toHaveProperty('vitest')
  expect(countOf(dependencies)).toBe(await countDeployed())
})

interface Nested {
  readonly [name: string]: { readonly dependencies: Nested }
}

function countOf(packages: Nested): number {
  return Object.values(packages).reduce((sum, { dependencies }) => sum + 1 + countOf(dependencies), 0)
}

async function countDeployed(): Promise<number> {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'))
  const all = Object.entries<{ dev?: boolean }>(packages)
  return all.filter(([path, { dev }]) => path !== '' && !dev).length
}

it('fails in CI where no audit can be made', async () => {
  const sentence = 'The audit of dependencies could not be made: the registry answers 405.'
  expectFailure(await audit(await serve({}), { CI: 'true' }), sentence)
})

it.each([{ CI: 'true', AUDIT: 'skip' }, { CI: '' }])('says aloud that it is skipped, with %j', async (variables) => {
  const outcome = await audit(await serve({}), variables)
  const stdout = 'AUDIT OF DEPENDENCIES SKIPPED: the registry answers 405.\n'
  expect(outcome).toEqual({ code: 0, stdout, stderr: '' })
})
