import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isLetIn, readStages, textOf } from './dockerfile.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const STAGES = readStages()
const LAST = STAGES.at(-1) as (typeof STAGES)[number]

it('lets in what the service needs, and nothing secret, built or stored', () => {
  const context = STAGES.flatMap(({ instructions }) => instructions)
    .filter(({ name, text }) => name === 'COPY' && !text.startsWith('--from='))
    .flatMap(({ text }) => text.split(' ').slice(0, -1))
    .filter((source) => source !== '.')
  const needed = [...context, 'src/commands/run.ts', 'migrations/meta/_journal.json', 'wrangler.toml', 'tsconfig.json']
  expect(needed.filter((file) => !isLetIn(file) || !existsSync(join(ROOT, file)))).toEqual([])
  const kept = ['.dev.vars', '.wrangler/state', '.git/config', 'node_modules/hono', 'test/vitest.config.ts', 'a.tgz']
  const built = ['src/http/assets/built.json', 'src/client/dist/index.js', 'src/client/api/operations.ts']
  expect([...kept, ...built].filter(isLetIn)).toEqual([])
})

it('runs as nobody who owns its code, and has its port checked', () => {
  expect(textOf(LAST, 'USER')).toBe('node')
  expect(textOf(LAST, 'VOLUME')).toBe('/data')
  const port = textOf(LAST, 'EXPOSE')
  expect(textOf(LAST, 'HEALTHCHECK')).toContain(`:${port}/health`)
  const compose = readFileSync(join(ROOT, 'docs', 'compose.yaml'), 'utf8')
  expect(compose).toContain(`--to mauve:${port}`)
  expect(compose).toContain('[data:/data]')
  // Not even where Caddy is.
  expect(compose).not.toContain(`${port}:${port}`)
})
