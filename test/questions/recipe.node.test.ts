import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const SOURCE = join(import.meta.dirname, '..', '..', 'src')
const CATALOGUE = ['questions/catalogue.ts', 'questions/operations.ts']
const FACE = /^dashboard\/faces\/[^/]+\//

/** Folders of `questions` that several questions share. */
const SHARED = [
  ...['engine', 'filters', 'revenue-rules', 'first-touches', 'first-event'],
  ...['rollups', 'daily-figures', 'events', 'user-cohorts'],
]

/** Files and folders that name questions nevertheless, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'app.ts': 'The preview of sources stands among the operations about sources in the document.',
  'assistants/persons.ts': 'How many users a filter matches is asked of trends.',
  'notifications/digest.ts': 'A digest is a choice of figures of several questions, each in words of its own.',
  'notifications/alerts.ts': 'Alerts about silence and about new names ask for the latest event and the names.',
  'commands/screenshot.ts': 'It opens pages by their addresses.',
  'questions/acquisition': 'Revenue of new users is that of the question about revenue.',
  'questions/enterprise-summary': 'It sums up lengths of sessions and properties of users.',
  'questions/event-hours': 'It asks event segmentation by hour, and adds up hours of the week.',
  'questions/property-values': 'It counts values as event segmentation counts groups.',
  'questions/referrals': 'Inviters have the figures of acquisition, about the users whom they invited.',
  'questions/revenue-ltv': 'It is retention whose cells are revenue.',
  'questions/trends': 'Its series are those of event segmentation.',
  'questions/user-cohorts':
    'Conditions of cohorts are about funnels, revenue and properties, and members are listed like users.',
  'dashboard/settings/revenue.tsx': 'The address of its form is also the path of a question.',
}

const IS_BUILT = /^client\/(dist\/|api\/operations\.ts)/
const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !IS_BUILT.test(file),
)
const COMMENTS = /\/\*[\s\S]*?\*\/|(^|\s)\/\/[^\n]*/g
const TEXTS = new Map(FILES.map((file) => [file, readFileSync(join(SOURCE, file), 'utf8').replace(COMMENTS, '$1')]))

interface Names {
  readonly operations: readonly string[]
  readonly paths: readonly string[]
}

/** What each question is named by besides its folder. */
const QUESTIONS = new Map<string, Names>()
for (const [file, text] of TEXTS) {
  const [, question] = /^questions\/([^/]+)\//.exec(file) ?? []
  if (!question || SHARED.includes(question)) continue
  const { operations = [], paths = [] } = QUESTIONS.get(question) ?? {}
  QUESTIONS.set(question, {
    operations: [...operations, ...[...text.matchAll(/\boperationId: '(\w+)'/g)].map(([, id = '']) => id)],
    paths: [...paths, ...[...text.matchAll(/^ {2}path: '(\/[^']+)'/gm)].map(([, path = '']) => path)],
  })
}

/** A path as a file spells it: as a text of its own, or with its parameters or a query filled in. */
function spelled(path: string): RegExp {
  const pattern = path.split(/\{\w+\}/).join('(\\{\\w+\\}|\\$\\{[^}]+\\})')
  return new RegExp(`['"\`]${pattern}['"\`?]`)
}

/** Where a contract declares the path of its own operation, which may be that of a question with another method. */
const OWN_PATH = /^ {2}path: '[^']+'/gm

/** The questions whose folder, operation or path a file names, without its own. */
function namedIn(file: string, whole: string): string[] {
  const text = file.endsWith('/contract.ts') ? whole.replace(OWN_PATH, '') : whole
  const froms = text.matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g)
  const imported = [...froms].map(([, from, dynamic]) =>
    relative(SOURCE, resolve(SOURCE, dirname(file), from ?? dynamic ?? '')),
  )
  return [...QUESTIONS].flatMap(([question, { operations, paths }]) => {
    const folder = `questions/${question}/`
    const isNamed =
      imported.some((path) => path.startsWith(folder)) ||
      operations.some((id) => new RegExp(`\\b${id}(Route\\b|'|: [('])`).test(text)) ||
      paths.some((path) => spelled(path).test(text))
    return isNamed && !file.startsWith(folder) ? [question] : []
  })
}

function placeOf(file: string): string {
  return ancestors(file).find((place) => Object.hasOwn(EXCEPTIONS, place)) ?? file
}

function ancestors(path: string): string[] {
  return path === '.' ? [] : [path, ...ancestors(dirname(path))]
}

const NAMED = [...TEXTS]
  .filter(([file]) => !CATALOGUE.includes(file) && !FACE.test(file))
  .map(([file, text]) => ({ file, questions: namedIn(file, text) }))
  .filter(({ questions }) => questions.length > 0)

it('finds the questions, their operations and their paths', () => {
  expect(QUESTIONS.get('sessions')?.operations).toEqual(
    expect.arrayContaining(['averageSessions', 'countSessionLengths']),
  )
  for (const [question, { operations, paths }] of QUESTIONS)
    expect({ question, operations, paths }).not.toMatchObject({ question, operations: [], paths: [] })
})

it('a question is named in its folder, the catalogue and its face, and elsewhere with a reason only', () => {
  const unexpected = NAMED.filter(({ file }) => !Object.hasOwn(EXCEPTIONS, placeOf(file)))
  expect(unexpected.map(({ file, questions }) => `${file}: ${questions.join(', ')}`)).toEqual([])
})

it('each exception is needed, and there are no more of them than today', () => {
  const places = new Set(NAMED.map(({ file }) => placeOf(file)))
  expect(Object.keys(EXCEPTIONS).filter((place) => !places.has(place))).toEqual([])
  expect(Object.keys(EXCEPTIONS).length).toBeLessThanOrEqual(14)
})
