import type { CallToolResult } from '@modelcontextprotocol/server'
import { ownerOf } from '../access/access.ts'
import { type AccountApplication, findOwnApplication } from '../accounts/applications/applications.ts'
import { dataSince } from '../accounts/applications/kept.ts'
import { listSavedQuestions } from '../accounts/applications/saved-questions.ts'
import { withoutNumbers } from '../base/text/messenger-ids.ts'
import { calendarOf } from '../base/time/calendar.ts'
import { toDate, toIso } from '../base/time/days.ts'
import { DEFAULT_PERIOD_DAYS } from '../base/time/period.ts'
import { contextOf } from '../http/api/operation.ts'
import { questions } from '../questions/catalogue.ts'
import { AS_OF_HEADER } from '../questions/engine/as-of.ts'
import { askAbout } from '../questions/engine/ask.ts'
import { firstEventReport } from '../questions/first-event/first-event.ts'
import { type AnswerNotes, NO_NOTES, notesFor, toResult } from './answer.ts'
import { applicationNamed, listOpenApplications } from './applications.ts'
import { type Answered, type Assistant, askInside, seesPersons } from './assistant.ts'
import { COMMON } from './input-schema.ts'
import type { Pages } from './pages.ts'

export const DESCRIBE = {
  name: 'describeApplication',
  title: 'About the application',
  description:
    'What the application is, since when it has data, and the names to ask with: events, properties, sources of users, cohorts and saved reports. ' +
    `Call it first. Events, properties and sources are those of the last ${DEFAULT_PERIOD_DAYS} days, most frequent first. Without an application of its own, the key’s applications are listed: name one as \`project\`. ` +
    COMMON,
}

/** The lists that operations answer, most frequent items first: by what they are, the request for them. */
const LISTS: readonly (readonly [name: string, address: string])[] = [
  ...questions.flatMap(({ toldFirst = {} }) => Object.entries(toldFirst)),
  ['cohorts', '/cohorts'],
]

/** A call of the tool itself; its page is the overview. */
const ITSELF = { operationId: DESCRIBE.name, path: {}, query: new URLSearchParams() }

/** Describes the application that a call names by its project id, else that of the connection or of the key. */
export async function describeApplication(
  named: string | null,
  pages: Pages,
  assistant: Assistant,
): Promise<CallToolResult> {
  const about = named === null ? assistant : { ...assistant, projectId: named }
  // These are charged and check the project before anything else is read.
  const answered = await Promise.all(LISTS.map(([, address]) => askInside(address, about)))
  const refused = answered.find(({ status, text }) => status >= 400 || text === null)
  const isWithout = refused?.status === 404
  if (refused && !isWithout) return toResult(refused, NO_NOTES)
  const open = await listOpenApplications(assistant)
  const applications = open.map(({ handle, name, projectId }) => ({ handle, name, project_id: projectId }))
  const application = isWithout ? null : applicationNamed(open, named, assistant)
  const notes = notesFor(pages.ofQuestion(ITSELF, application?.handle ?? null), assistant)
  if (!application) return resultOf({ application: null, applications }, notes)
  const lists = Object.fromEntries(LISTS.map(([name], place) => [name, dataOf(answered[place])]))
  const [asOf = notes.asOf] = answered.flatMap(({ headers }) => headers.get(AS_OF_HEADER) ?? []).toSorted()
  const answer = {
    application: detailsOf(application, assistant),
    first_event_at: await firstEventOf(application, assistant),
    data_since: application.keptFrom === null ? null : toDate(dataSince(application.keptFrom)),
    ...lists,
    cohorts: lists.cohorts?.map(({ name }) => name),
    saved_questions: await savedIn(application, pages, assistant),
    applications,
  }
  const isMasked = answered.some((one) => one.isMasked)
  return resultOf(answer, { ...notes, asOf }, isMasked)
}

/** What no part of an address holds ids in. */
const FIGURES_IN_ADDRESSES = ['start', 'end', 'window_seconds']

/** Without the address of a report that may name a person, if the key does not show them: the list of reports leads to it. */
async function savedIn({ id, handle }: AccountApplication, pages: Pages, assistant: Assistant) {
  const saved = await listSavedQuestions(assistant.c.get('db'), id)
  const mask = seesPersons(assistant.c) ? (text: string) => text : withoutNumbers
  return saved.map(({ name, address }) => {
    const params = [...new URLSearchParams(address.replace(/^[^?]*/, ''))]
    const asked = params.filter(([param]) => !FIGURES_IN_ADDRESSES.includes(param))
    const shown = asked.flat().every((text) => mask(text) === text) ? address : 'saved-questions'
    return { name: mask(name), page: notesFor(pages.ofSaved(shown, handle), assistant).page }
  })
}

/** When the first event of all that are kept happened; null if there is none. */
async function firstEventOf({ handle }: AccountApplication, { c }: Assistant): Promise<string | null> {
  const application = await findOwnApplication(c.get('db'), handle, ownerOf(c.get('access')))
  const { data } = await askAbout(application, firstEventReport, null, contextOf(c))
  return Number.isFinite(data) ? toIso(data) : null
}

function detailsOf({ handle, name, description, link, projectId, timeZone }: AccountApplication, { c }: Assistant) {
  const today = toDate(calendarOf(timeZone).dayOf(c.get('now')))
  return { handle, name, description, link, project_id: projectId, time_zone: timeZone, today }
}

function dataOf(answered: Answered | undefined): readonly { readonly name?: string }[] {
  return JSON.parse(answered?.text ?? '{}').data
}

function resultOf(answer: object, notes: AnswerNotes, isMasked = false): CallToolResult {
  const headers = new Headers({ 'content-type': 'application/json' })
  return toResult({ status: 200, headers, text: JSON.stringify(answer), isMasked }, notes)
}
