import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const SOURCE = join(import.meta.dirname, '..', '..', 'src')

/** The rooms that learn of questions by the catalogue. */
const ROOM = /^(questions|assistants|notifications|http|object)\//
const CATALOGUE = ['questions/catalogue.ts', 'questions/operations.ts']

/** Folders of `questions` that several questions share. */
const SHARED = [
  ...['engine', 'filters', 'revenue-rules', 'first-touches', 'first-event'],
  ...['rollups', 'daily-figures', 'events', 'user-cohorts'],
]

/** Files and folders that name questions nevertheless, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'notifications/digest.ts': 'A digest is a choice of figures of several questions, each in words of its own.',
  'notifications/alerts.ts': 'Alerts about silence and about new names ask for the latest event and the names.',
  'questions/acquisition': 'Revenue of new users is that of the question about revenue.',
  'questions/enterprise-summary': 'It sums up lengths of sessions and properties of users.',
  'questions/event-hours': 'It asks event segmentation by hour, and adds up hours of the week.',
  'questions/property-values': 'It counts values as event segmentation counts groups.',
  'questions/referrals': 'Inviters have the figures of acquisition, about the users whom they invited.',
  'questions/revenue-ltv': 'It is retention whose cells are revenue.',
  'questions/trends': 'Its series are those of event segmentation.',
  'questions/user-cohorts':
    'Conditions of cohorts are about funnels, revenue and properties, and members are listed like users.',
}

const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
const COMMENTS = /\/\*[\s\S]*?\*\/|(^|\s)\/\/[^\n]*/g
const TEXTS = new Map(FILES.map((file) => [file, readFileSync(join(SOURCE, file), 'utf8').replace(COMMENTS, '$1')]))

/** The operations of each question. */
const QUESTIONS = new Map<string, string[]>()
for (const [file, text] of TEXTS) {
  const [, question] = /^questions\/([^/]+)\//.exec(file) ?? []
  if (!question || SHARED.includes(question)) continue
  const operations = [...text.matchAll(/\boperationId: '(\w+)'/g)].map(([, id = '']) => id)
  QUESTIONS.set(question, [...(QUESTIONS.get(question) ?? []), ...operations])
}

/** The questions whose folder or operation a file names, without its own. */
function namedIn(file: string, text: string): string[] {
  const froms = text.matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g)
  const imported = [...froms].map(([, from, dynamic]) =>
    relative(SOURCE, resolve(SOURCE, dirname(file), from ?? dynamic ?? '')),
  )
  return [...QUESTIONS].flatMap(([question, operations]) => {
    const folder = `questions/${question}/`
    const isNamed =
      imported.some((path) => path.startsWith(folder)) ||
      operations.some((id) => new RegExp(`\\b${id}(Route)?\\b`).test(text))
    return isNamed && !file.startsWith(folder) ? [question] : []
  })
}

function placeOf(file: string): string {
  const folder = file.split('/').slice(0, 2).join('/')
  return Object.hasOwn(EXCEPTIONS, folder) ? folder : file
}

const NAMED = [...TEXTS]
  .filter(([file]) => ROOM.test(file) && !CATALOGUE.includes(file))
  .map(([file, text]) => ({ file, questions: namedIn(file, text) }))
  .filter(({ questions }) => questions.length > 0)

it('finds the questions and their operations', () => {
  expect(QUESTIONS.get('sessions')).toEqual(expect.arrayContaining(['averageSessions', 'countSessionLengths']))
  for (const [question, operations] of QUESTIONS)
    expect({ question, operations }).not.toEqual({ question, operations: [] })
})

it('a question is named in its folder and in the catalogue, and elsewhere with a reason only', () => {
  const unexpected = NAMED.filter(({ file }) => !Object.hasOwn(EXCEPTIONS, placeOf(file)))
  expect(unexpected.map(({ file, questions }) => `${file}: ${questions.join(', ')}`)).toEqual([])
})

it('there are at most ten exceptions, and each is needed', () => {
  const places = new Set(NAMED.map(({ file }) => placeOf(file)))
  expect(Object.keys(EXCEPTIONS).filter((place) => !places.has(place))).toEqual([])
  expect(Object.keys(EXCEPTIONS).length).toBeLessThanOrEqual(10)
})
