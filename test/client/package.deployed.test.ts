import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { version } from '../../package.json'
import { name } from '../../src/client/package.json'

const ROOT = join(import.meta.dirname, '..', '..')
const SHOP = mkdtempSync(join(tmpdir(), 'mauve-package-'))
const MODULES = join(SHOP, 'node_modules')
const PACKAGE = join(MODULES, name)

/** What somebody else's project does with it, in the shape of its first lines. */
const PAGE = `
  import { createBotClient } from '${name}/bot'
  import { createClient, type Client, type Options } from '${name}'
  import { MauveProvider, useTrack } from '${name}/react'
  import { createApiClient, type components } from '${name}/api'
  import { createElement } from 'react'
  import { renderToString } from 'react-dom/server'

  const options: Options = { host: 'https://mauve.test', key: 'k', project: 'p' }
  function Shop() {
    const track = useTrack()
    return createElement('button', { onClick: () => track('Purchase', { amount: 250 } as Purchase) }, 'Buy')
  }
  console.log(renderToString(createElement(MauveProvider, { options }, createElement(Shop))))

  console.warn = console.log
  const client: Client = createClient(options)
  interface Purchase { amount: number }
  const purchase: Purchase = { amount: 250 }
  client.track('Purchase', purchase)
  await client.flush()
  console.log(client.dropped)

  const api = createApiClient({ ...options, fetch: async ({ url }) => Response.json({ name: new URL(url).pathname }) })
  const growth = await api.GET('/monthly-active-users/timeseries/{handle}', {
    params: { path: { handle: 'shop' }, query: { days: 7 } },
  })
  const named: string | undefined = growth.data?.name
  console.log(named ?? growth.error?.detail)
  const event: components['schemas']['ServerEvent'] = { event_type: 'Purchase', telegram_id: 1 }
  await api.POST('/v1/client/events', { body: { events: [event] } })
  const filters = JSON.stringify([{ prop: 'country', op: 'is', values: ['DE'] }])
  await api.GET('/events/trends', { params: { query: { series: JSON.stringify([{ event: 'Purchase' }]), filters } } })
  // @ts-expect-error: there is no such operation
  await api.GET('/no-such-operation')

  const bot = createBotClient(options)
  console.log(bot.trackUpdate({ update_id: 1 }))
  // As grammY and others type it.
  export const buy = (from: { id: number } | undefined) => bot.track(from, 'Purchase', purchase)
  // As Telegraf types it: what its middleware returns is a promise, or nothing.
  interface TelegrafUpdate { update_id: number; message?: { message_id: number } }
  interface TelegrafContext { readonly update: TelegrafUpdate; readonly me: string; readonly from: TelegrafUser | undefined }
  interface TelegrafUser { id: number; is_bot: boolean; first_name: string; is_premium?: true }
  type TelegrafMiddleware = (ctx: TelegrafContext, next: () => Promise<void>) => Promise<unknown> | void
  export const used: TelegrafMiddleware[] = [bot.telegraf(), (ctx) => bot.track(ctx.from, 'Purchase', purchase)]
  await bot.close()
  // @ts-expect-error: the types say what is missing
  createClient({ host: 'https://mauve.test' })`

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { cwd: SHOP, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

beforeAll(() => {
  run(process.execPath, join(ROOT, 'src', 'commands', 'run.ts'), 'pack', '--to', SHOP)
  mkdirSync(PACKAGE, { recursive: true })
  const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
  run('tar', '-xzf', file, '-C', PACKAGE, '--strip-components=1')
  for (const name of ['react', 'react-dom', 'openapi-fetch', '@types'])
    symlinkSync(join(ROOT, 'node_modules', name), join(MODULES, name))
  writeFileSync(join(SHOP, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(SHOP, 'page.ts'), PAGE)
})

afterAll(() => rmSync(SHOP, { recursive: true }))

it('contains what it exports, as modules with types, and nothing else', () => {
  const files = readdirSync(PACKAGE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(PACKAGE.length + 1))
  const { exports, ...manifest } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))
  const { './package.json': _, ...entries } = exports as Record<string, Record<string, string>>
  expect(Object.keys(entries)).toEqual(['.', './react', './bot', './api'])
  const offered = Object.values(entries).flatMap((entry) => Object.values(entry))
  expect(files).toEqual(expect.arrayContaining(offered.map((path) => path.slice('./'.length))))

  const modules = files.filter((file) => file.startsWith('dist/'))
  expect(files.filter((file) => !modules.includes(file)).toSorted()).toEqual(['LICENSE', 'README.md', 'package.json'])
  const named = modules.filter((file) => file.endsWith('.js')).flatMap((file) => [file.replace(/js$/, 'd.ts'), file])
  expect(modules.toSorted()).toEqual(named.toSorted())
  const optional = { react: { optional: true }, 'openapi-fetch': { optional: true } }
  expect(manifest).toMatchObject({ name, version, peerDependenciesMeta: optional, publishConfig: { provenance: true } })
  expect(manifest.dependencies).toBeUndefined()
})

it('can be loaded on a server, where there is no page', () => {
  const printed = run(process.execPath, '--experimental-strip-types', '--no-warnings', 'page.ts').split('\n')
  expect(printed.filter((line) => line.includes('button') || /^\d|^[a-z_]+$|^\//.test(line))).toEqual([
    '<button>Buy</button>',
    '0',
    '/monthly-active-users/timeseries/shop',
    'no_user',
  ])
  // A build of pages would repeat whatever the client of a page says.
  expect(printed.join()).not.toContain('mauve: ')
})

it.each([
  ['bundler', 'esnext'],
  ['nodenext', 'nodenext'],
])('its types are found as "%s" looks for them', (moduleResolution, module) => {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: 'es2022', lib: ['es2023', 'dom'], types: [], skipLibCheck: false },
    ...{ module, moduleResolution },
  }
  writeFileSync(join(SHOP, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['page.ts'] }))
  expect(() => run(join(ROOT, 'node_modules', '.bin', 'tsc'), '-p', SHOP)).not.toThrow()
  const declarations = readdirSync(join(PACKAGE, 'dist'), { encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'))
  for (const file of declarations) expect(readFileSync(join(PACKAGE, 'dist', file), 'utf8')).not.toMatch(/\.tsx?'/)
})
