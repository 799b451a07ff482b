import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const SOURCE = join(import.meta.dirname, '..', 'src')

/** One import or export … from of a file; a path inside src, or the name of a package. */
interface Import {
  readonly file: string
  readonly from: string
}

const IS_BUILT = /^client\/dist\//
const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !IS_BUILT.test(file),
)
const TEXTS = new Map(FILES.map((file) => [file, readFileSync(join(SOURCE, file), 'utf8')]))
const IMPORTS = [...TEXTS].flatMap(([file, text]) => importsOf(file, text))

function importsOf(file: string, text: string): Import[] {
  const found = text.matchAll(/^(?:import|export)\b[^'";]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm)
  return [...found].map(([, from, bare, dynamic]) => ({ file, from: locate(file, from ?? bare ?? dynamic ?? '') }))
}

function locate(file: string, from: string): string {
  return from.startsWith('.') ? relative(SOURCE, resolve(SOURCE, dirname(file), from)) : from
}

function isOf(name: string): (from: string) => boolean {
  return (from) => from === name || from.startsWith(`${name}/`)
}

const isDrizzle = isOf('drizzle-orm')
const isHono = (from: string) => isOf('hono')(from) || isOf('@hono')(from)
const isInHttp = isOf('http')
/** What every operation of the API does: its key, its budgets, its contract. */
const isInApi = isOf('api')
/** Pages are a surface of HTTP. */
const isPage = (file: string) => isOf('reference')(file) || isDashboard(file)
const isDashboard = isOf('dashboard')
/** What runs in Node is a second surface beside HTTP: with a database, a clock and queries of their own. */
const isCommand = (file: string) => ['commands', 'demo', 'local'].some((folder) => isOf(folder)(file))

/** The imports that no exception covers, as the lines in which a person would look for them. */
function forbidden(isMeant: (found: Import) => boolean, isAllowed: (file: string) => boolean): string[] {
  return IMPORTS.filter((found) => isMeant(found) && !isAllowed(found.file)).map(({ file, from }) => `${file}: ${from}`)
}

it('there is something to look at', () => {
  expect(FILES.length).toBeGreaterThan(30)
  expect(IMPORTS).toContainEqual({ file: 'accounts/sql.ts', from: 'storage/schema.ts' })
  expect(IMPORTS).toContainEqual({ file: 'app.ts', from: 'hono' })
})

it('only sql.ts, the storage and the log import Drizzle', () => {
  const storage = ['storage/schema.ts', 'storage/database.ts', 'storage/json-rows.ts']
  const allowed = new Set([...storage, 'log.ts'])
  const isAllowed = (file: string) => basename(file) === 'sql.ts' || allowed.has(file) || isCommand(file)
  expect(forbidden(({ from }) => isDrizzle(from), isAllowed)).toEqual([])
})

it('nouns know no HTTP', () => {
  const allowed = new Set(['contract.ts', 'routes.ts', 'app.ts', 'index.ts'])
  const isWire = (file: string) => isInHttp(file) || isInApi(file) || isPage(file) || file === 'reports/period.ts'
  const isAllowed = (file: string) => allowed.has(basename(file)) || isWire(file)
  expect(forbidden(({ from }) => isHono(from) || isInHttp(from) || isInApi(from), isAllowed)).toEqual([])
})

it("no folder imports another one's sql.ts or routes.ts", () => {
  const isForeign = ({ file, from }: Import) => /(^|\/)(sql|routes)\.ts$/.test(from) && dirname(file) !== dirname(from)
  const isAllowed = (file: string) => file === 'app.ts' || isCommand(file)
  // A page asks operations as the document lists them.
  const isAsked = ({ file, from }: Import) => isDashboard(file) && from.endsWith('/routes.ts')
  expect(forbidden((found) => isForeign(found) && !isAsked(found), isAllowed)).toEqual([])
})

it('nobody but the app and commands knows the pages', () => {
  const isAllowed = (file: string) => file === 'app.ts' || isDashboard(file) || isCommand(file)
  expect(forbidden(({ from }) => isDashboard(from), isAllowed)).toEqual([])
})

/** What files that pass import of any of these folders, but for these. */
function borrowed(isBorrower: (file: string) => boolean, folders: readonly string[], lent: readonly string[] = []) {
  const isMeant = ({ file, from }: Import) => isBorrower(file) && folders.some((folder) => isOf(folder)(from))
  return forbidden((found) => isMeant(found) && !lent.includes(found.from), never)
}

const never = () => false

it('HTTP is the protocol: it knows nothing of the product', () => {
  const product = ['accounts', 'api', 'applications', 'client-config', 'collection', 'quotas', 'reports', 'rollups']
  expect(borrowed(isInHttp, product)).toEqual([])
})

it('the API knows no operation; questions know of collection only what an event is', () => {
  expect(borrowed(isInApi, ['collection', 'quotas', 'reports', 'rollups'])).toEqual([])
  expect(borrowed(isOf('reports'), ['collection'], ['collection/event.ts'])).toEqual([])
})

it('the client in a page knows nothing of the service, and nothing of the service knows it', () => {
  const isClient = isOf('client')
  const crossing = IMPORTS.filter(({ file, from }) => FILES.includes(from) && isClient(file) !== isClient(from))
  expect(crossing).toEqual([])
})

it('no files import each other in a circle', () => {
  const importsOfFile = Map.groupBy(IMPORTS, ({ file }) => file)
  const isReached = (goal: string, from: string, seen = new Set<string>()): boolean =>
    (importsOfFile.get(from) ?? []).some(({ from: next }) => {
      if (next === goal) return true
      if (seen.has(next)) return false
      return isReached(goal, next, seen.add(next))
    })
  expect(FILES.filter((file) => isReached(file, file))).toEqual([])
})

it('no folder holds more than a quarter of the source; of reports, none of its folders', () => {
  const lines = (files: readonly string[]) =>
    files.reduce((sum, file) => sum + (TEXTS.get(file) ?? '').split('\n').length, 0)
  const folderOf = (file: string) => (isOf('reports')(file) ? dirname(file) : (file.split('/')[0] ?? ''))
  const folders = [...Map.groupBy(FILES, folderOf)]
  expect(folders.filter(([, files]) => lines(files) > lines(FILES) / 4).map(([folder]) => folder)).toEqual([])
})

it('only the log and the edges of a request, a job or a delivery read the clock', () => {
  const edges = new Set(['log.ts', 'api/with-context.ts', 'index.ts', 'schedule.ts', 'objects/application-object.ts'])
  const readers = [...TEXTS].filter(([, text]) => /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/.test(text))
  const isEdge = (file: string) => edges.has(file) || isCommand(file) || isOf('client')(file)
  expect(readers.map(([file]) => file).filter((file) => !isEdge(file))).toEqual([])
})

it('names say what is inside', () => {
  const empty = /^(utils?|helpers?|lib|common|shared|misc|managers?|index)$|manager|helper|util/
  const names = FILES.flatMap((file) =>
    file
      .replace(/\.tsx?$/, '')
      .split('/')
      .map((name) => ({ file, name })),
  )
  expect(
    names.filter(({ file, name }) => empty.test(name) && basename(file) !== 'index.ts').map(({ file }) => file),
  ).toEqual([])
  expect(names.filter(({ name }) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.d)?$/.test(name)).map(({ file }) => file)).toEqual([])
})
