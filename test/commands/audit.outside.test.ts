import { spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { afterAll, expect, it } from 'vitest'
import { ROOT } from '../../src/commands/wrangler.ts'
import { addressOf } from './command.ts'

const BULK = '/-/npm/v1/security/advisories/bulk'
const HOLE = { id: 1, url: 'https://example.org/1', title: 'A hole', severity: 'high', vulnerable_versions: '*' }

const registries: Server[] = []
afterAll(() => {
  for (const registry of registries.splice(0)) registry.close()
})

/** The exit code of the audit with a registry that knows these holes, or has no audit at all. */
async function audit(holes: object | null, AUDIT = ''): Promise<number> {
  const server = createServer((request, response) => {
    const answers = request.url === BULK && holes !== null
    request.resume().on('end', () => {
      response.writeHead(answers ? 200 : 405, { 'content-type': 'application/json' }).end(JSON.stringify(holes ?? {}))
    })
  })
  registries.push(server)
  const env = { ...process.env, AUDIT, npm_config_registry: `${await addressOf(server)}/` }
  const child = spawn('npm', ['run', 'check:audit'], { cwd: ROOT, env, stdio: 'ignore' })
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

it.concurrent.each([
  ['fails at a hole even if an audit may be missing', { hono: [HOLE] }, 'skip', 1],
  ['fails if the registry has no audit', null, '', 1],
  ['passes if the registry has no audit and that is known', null, 'skip', 0],
])('%s', async (_, holes, variable, code) => {
  expect(await audit(holes, variable)).toBe(code)
})
