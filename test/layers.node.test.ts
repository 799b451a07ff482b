import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const SOURCE = join(import.meta.dirname, '..', 'src')

/** The rooms of the service, each of which imports only rooms after it. The client is a package of its own. */
const ROOMS = [
  'commands',
  'dashboard',
  'assistants',
  'object',
  'notifications',
  'lifecycle',
  'questions',
  'collection',
  'columns',
  'accounts',
  'http',
  'access',
  'storage',
  'base',
]

/** One import or export … from of a file; a path inside src, or the name of a package. */
interface Import {
  readonly file: string
  readonly from: string
}

const IS_BUILT = /^client\/(dist\/|api\/operations\.ts)/
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

function isOf(...names: readonly string[]): (from: string) => boolean {
  return (from) => names.some((name) => from === name || from.startsWith(`${name}/`))
}

const isDrizzle = isOf('drizzle-orm')
const isHono = isOf('hono', '@hono')
const isHttp = isOf('http')
const isDashboard = isOf('dashboard')
/** Speaks a protocol over HTTP. */
const isAssistants = isOf('assistants')
const isMessage = isOf('notifications')
/** Runs in Node, with a database, a clock and queries of its own. */
const isCommand = isOf('commands')

/** Imports that no exception covers, as the lines in which a person would look for them. */
function forbidden(isMeant: (found: Import) => boolean, isAllowed: (file: string) => boolean): string[] {
  return IMPORTS.filter((found) => isMeant(found) && !isAllowed(found.file)).map(({ file, from }) => `${file}: ${from}`)
}

function roomOf(file: string): string {
  return file.includes('/') ? (file.split('/')[0] ?? '') : ''
}

it('finds the source and its imports', () => {
  expect(FILES.length).toBeGreaterThan(30)
  expect(IMPORTS).toContainEqual({ file: 'accounts/sql.ts', from: 'storage/schema.ts' })
  expect(IMPORTS).toContainEqual({ file: 'app.ts', from: 'hono' })
})

it('only the calendar knows how long a day is', () => {
  const isElsewhere = ([file]: [string, string]) => !isOf('base/time', 'client')(file)
  const knows = /86_?400_?000|864e5|MS_PER_DAY|24 \* 60 \* 60 \* 1_?000|24 \* 3_?600_?000/i
  const found = [...TEXTS].filter((entry) => isElsewhere(entry) && knows.test(entry[1])).map(([file]) => file)
  expect(found).toEqual([])
})

it('each room imports only rooms below it', () => {
  expect([...new Set(FILES.map(roomOf))].sort()).toEqual(['', 'client', ...ROOMS].sort())
  const isUpward = ({ file, from }: Import) => ROOMS.indexOf(roomOf(from)) < ROOMS.indexOf(roomOf(file))
  const isInside = ({ file, from }: Import) => ROOMS.includes(roomOf(file)) && ROOMS.includes(roomOf(from))
  expect(
    forbidden(
      (found) => isInside(found) && isUpward(found),
      () => false,
    ),
  ).toEqual([])
})

/** What each file and each folder of a folder imports of the files and folders beside it. */
function neighbours(folder: string): Map<string, Set<string>> {
  const prefix = folder === '' ? '' : `${folder}/`
  const childOf = (file: string) => (file.startsWith(prefix) ? file.slice(prefix.length).split('/')[0] : undefined)
  const found = new Map<string, Set<string>>()
  for (const { file, from } of IMPORTS) {
    const [child, other] = [childOf(file), FILES.includes(from) ? childOf(from) : undefined]
    if (child && other && child !== other) found.set(child, (found.get(child) ?? new Set()).add(other))
  }
  return found
}

function circles<T>(next: ReadonlyMap<T, Iterable<T>>): T[] {
  const reaches = (goal: T, from: T, seen = new Set<T>()): boolean =>
    [...(next.get(from) ?? [])].some((to) => to === goal || (!seen.has(to) && reaches(goal, to, seen.add(to))))
  return [...next.keys()].filter((one) => reaches(one, one))
}

it('no file or folder imports another one beside it in a circle, at any level', () => {
  const folders = new Set(FILES.flatMap((file) => ancestors(dirname(file))))
  const found = [...folders].flatMap((folder) => circles(neighbours(folder)).map((child) => `${folder}/${child}`))
  expect(found).toEqual([])
})

it('no page imports the folder of another page: what they share is in the folders that pages are made of', () => {
  const pageOf = (path: string) => /^dashboard\/pages\/([^/]+)\//.exec(path)?.[1]
  const isOther = ({ file, from }: Import) => pageOf(from) !== undefined && pageOf(file) !== pageOf(from)
  const isInPages = ({ file }: Import) => pageOf(file) !== undefined
  expect(
    forbidden(
      (found) => isInPages(found) && isOther(found),
      () => false,
    ),
  ).toEqual([])
})

function ancestors(folder: string): string[] {
  return folder === '.' ? [''] : [folder, ...ancestors(dirname(folder))]
}

it('no file imports another one in a circle', () => {
  const next = new Map<string, string[]>()
  for (const { file, from } of IMPORTS) next.set(file, [...(next.get(file) ?? []), from])
  expect(circles(next)).toEqual([])
})

it('only sql.ts, the storage and the log import Drizzle', () => {
  // The last one: statements that the jobs of several folders put into their batches.
  const allowed = new Set([
    'storage/schema.ts',
    'storage/changes.ts',
    'storage/database.ts',
    'storage/json-rows.ts',
    'storage/texts.ts',
    'base/log.ts',
    'lifecycle/jobs/statements.ts',
  ])
  const isAllowed = (file: string) => basename(file) === 'sql.ts' || allowed.has(file) || isCommand(file)
  expect(forbidden(({ from }) => isDrizzle(from), isAllowed)).toEqual([])
})

it('nouns know no HTTP', () => {
  const wire = new Set(['contract.ts', 'routes.ts', 'saved.ts', 'app.ts', 'index.ts'])
  /** How all questions are asked over HTTP. */
  const questionsOnWire = new Set(['questions/engine/period.ts', 'questions/engine/question.ts'])
  /** What a request's handling may use is a type of HTTP that questions take. */
  const isContext = (from: string) => from === 'http/context.ts'
  const isWireRoom = (file: string) => [isHttp, isDashboard, isAssistants, isCommand].some((isOne) => isOne(file))
  const isAllowed = (file: string) => wire.has(basename(file)) || isWireRoom(file) || questionsOnWire.has(file)
  expect(forbidden(({ from }) => isHono(from) || (isHttp(from) && !isContext(from)), isAllowed)).toEqual([])
})

it("no folder imports another one's sql.ts or routes.ts", () => {
  const isForeign = ({ file, from }: Import) => /(^|\/)(sql|routes)\.ts$/.test(from) && dirname(file) !== dirname(from)
  const lists = new Set(['app.ts', 'questions/catalogue.ts', 'questions/operations.ts'])
  const isAllowed = (file: string) => lists.has(file) || isCommand(file)
  // A page or a message asks operations as the document lists them.
  const isAsked = ({ file, from }: Import) => (isDashboard(file) || isMessage(file)) && from.endsWith('/routes.ts')
  expect(forbidden((found) => isForeign(found) && !isAsked(found), isAllowed)).toEqual([])
})

it('nothing but the app and commands knows the pages, and nothing but the entry and cron the object', () => {
  const entries = new Set(['app.ts', 'index.ts', 'schedule.ts'])
  const isAllowed = (room: string) => (file: string) => entries.has(file) || roomOf(file) === room || isCommand(file)
  expect(forbidden(({ from }) => isDashboard(from), isAllowed('dashboard'))).toEqual([])
  expect(forbidden(({ from }) => isOf('object')(from), isAllowed('object'))).toEqual([])
})

it('the client in a page knows nothing of the service, and nothing of the service knows it', () => {
  const isClient = isOf('client')
  const crossing = IMPORTS.filter(({ file, from }) => FILES.includes(from) && isClient(file) !== isClient(from))
  // The typed client is what the project's own commands ask with.
  const isApi = isOf('client/api')
  expect(crossing.filter(({ file, from }) => !(isCommand(file) && isApi(from)))).toEqual([])
  expect(
    forbidden(
      ({ from }) => isApi(from) || from === 'openapi-fetch',
      (file) => isApi(file) || isCommand(file),
    ),
  ).toEqual([])
})

it('no file except the schema is longer than 300 lines', () => {
  const long = [...TEXTS].filter(([file, text]) => text.split('\n').length > 301 && file !== 'storage/schema.ts')
  expect(long.map(([file]) => file)).toEqual([])
})

it('an exported type has one name, and no other one has it', () => {
  const names = [...TEXTS]
    .filter(([file]) => !isOf('client')(file))
    .flatMap(([, text]) => [...text.matchAll(/^export (?:interface|type|class|enum) (\w+)/gm)].map(([, name]) => name))
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

it('only the log and the edges of a request, a job or a delivery read the clock', () => {
  const edges = new Set([
    'base/log.ts',
    'http/api/with-context.ts',
    'index.ts',
    'schedule.ts',
    'object/application-object.ts',
  ])
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
  const saysNothing = names.filter(({ file, name }) => empty.test(name) && basename(file) !== 'index.ts')
  expect(saysNothing.map(({ file }) => file)).toEqual([])
  expect(names.filter(({ name }) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.d)?$/.test(name)).map(({ file }) => file)).toEqual([])
})
