import { applicationOf } from '../../access/access.ts'
import { Invalid } from '../../base/errors.ts'
import { toFaults } from '../../base/faults.ts'
import { toIso } from '../../base/time/days.ts'
import { CSV, SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { AS_OF_HEADER } from '../engine/as-of.ts'
import { type QuestionContext, question } from '../engine/question.ts'
import { toReading } from '../engine/reading.ts'
import type { AnyReport } from '../engine/report.ts'
import { withFirstTouchFields } from '../users/first-touch-fields.ts'
import { toListQuery } from '../users/list-query.ts'
import { countUsers, readMembers, readUsers } from '../users/stored-users.ts'
import { cohortsOfFigures, deleteCohort, findCohort, findRule, listCohorts, putCohort, resolveRule } from './cohorts.ts'
import {
  deleteCohortContract,
  exportCohortIdsContract,
  findUsersContract,
  getCohortContract,
  listCohortsContract,
  listCohortUsersContract,
  putCohortContract,
  type ShownDefinition,
} from './contract.ts'
import { Definition, MAX_WRITTEN } from './definition/contract.ts'
import { readList } from './definition/list.ts'
import { askForMembers, cohortMembersReport, cohortSizeReport } from './membership.ts'
import type { CohortRow } from './sql.ts'

export const listCohortsRoute = operation(
  listCohortsContract,
  { header: 'x-api-key', scope: 'questions' },
  async (_input, { db, access }) => {
    const rows = await listCohorts(db, applicationOf(access).id)
    return { data: rows.map(({ name, createdAt }) => ({ name, created_at: toIso(createdAt) })), ...SUCCESS }
  },
)

export const putCohortRoute = operation(
  putCohortContract,
  { header: 'x-api-key', scope: 'full', budget: 'registration' },
  async ({ path: { name }, body: definition }, { db, access, now: createdAt }) => {
    const { id: applicationId } = applicationOf(access)
    return { data: toWire(await putCohort(db, { applicationId, name, definition, createdAt })), ...SUCCESS }
  },
  { readBody: checkedDefinition, readCsv: definitionOfList },
)

/** The JSON of a definition that lists users. Throws `Invalid`. */
function definitionOfList(csv: string): string {
  return JSON.stringify({ match: 'all', conditions: [{ type: 'users', telegram_ids: readList(csv) }] })
}

/** The JSON of a definition as sent. Throws `Invalid`. */
function checkedDefinition(json: unknown): string {
  const read = Definition.safeParse(json, { reportInput: true })
  if (!read.success) throw new Invalid(toFaults(read.error.issues, ['body']))
  const faults = cohortsOfFigures(read.data).map(({ name, condition }) => ({
    loc: ['body', 'conditions', condition, 'question'],
    msg: `A cohort cannot refer to cohorts, but this question refers to '${name}'`,
    type: 'value_error' as const,
  }))
  if (faults.length > 0) throw new Invalid(faults)
  return JSON.stringify(json)
}

function toWire({ name, definition, createdAt }: CohortRow) {
  return { name, created_at: toIso(createdAt), definition: shortened(definition) }
}

function listedIn(condition: ShownDefinition['conditions'][number]): readonly number[] {
  return (condition.type === 'users' && condition.telegram_ids) || []
}

/** A definition with the length of a long list in place of its ids. */
function shortened(definition: string): ShownDefinition {
  const { match, conditions } = JSON.parse(definition) as ShownDefinition
  const shown = conditions.map((condition) => {
    const { length } = listedIn(condition)
    return length > MAX_WRITTEN ? { type: 'users' as const, listed: length } : condition
  })
  return { match, conditions: shown }
}

export const exportCohortIdsRoute = operation(
  exportCohortIdsContract,
  { header: 'x-api-key', scope: 'questions' },
  async ({ path: { name } }, { db, access }) => {
    const { definition } = await findCohort(db, applicationOf(access).id, name)
    const { conditions } = JSON.parse(definition) as ShownDefinition
    const ids = new Set(conditions.flatMap(listedIn))
    const text = `telegram_id\r\n${[...ids].map((id) => `${id}\r\n`).join('')}`
    return new Response(text, { headers: { 'content-type': `${CSV}; charset=utf-8` } })
  },
  { audited: 'hourly' },
)

export const deleteCohortRoute = operation(
  deleteCohortContract,
  { header: 'x-api-key', scope: 'full', budget: 'registration' },
  async ({ path: { name } }, { db, access }) => {
    return { data: toWire(await deleteCohort(db, applicationOf(access).id, name)), ...SUCCESS }
  },
)

export const getCohortRoute = question(
  getCohortContract,
  async ({ path: { name } }, asking) => {
    const { row, rule } = await findRule(name, asking)
    return { data: { ...toWire(row), ...(await asking.ask(cohortSizeReport, { rule })) }, ...SUCCESS }
  },
  { reports: [cohortSizeReport, cohortMembersReport] as readonly AnyReport[] },
)

export const listCohortUsersRoute = question(
  listCohortUsersContract,
  async ({ path: { name }, query: params }, asking) => {
    const { rule } = await findRule(name, asking)
    const { users: _, ...page } = await readPage(params, await askForMembers(rule, asking), asking)
    return page
  },
)

export const findUsersRoute = question(findUsersContract, async ({ query: { definition, ...params } }, asking) => {
  const members = definition ? await askForMembers(await resolveRule(definition, asking), asking) : null
  // Databases know users as soon as their first event is stored.
  if (!members) asking.setHeader(AS_OF_HEADER, toIso(asking.now))
  return readPage(params, members, asking)
})

/** Reads a page of the users with these ids, or of all users. */
async function readPage(
  params: Parameters<typeof toListQuery>[0],
  members: readonly number[] | null,
  asking: QuestionContext,
) {
  const query = toListQuery(params, applicationOf(asking.access).id)
  const reading = toReading(asking)
  const found = await (members ? readMembers(query, members, reading) : readUsers(query, reading))
  const users = lengthOf(query, found.length, members) ?? (await countUsers(query, members, reading))
  const data = await withFirstTouchFields(found, asking)
  return { ...SUCCESS, users, limit: query.limit, offset: query.offset, data }
}

/** A list's number of users if known without counting: all members, or all up to the end of the last page. */
function lengthOf(
  { filters, search, limit, offset }: ReturnType<typeof toListQuery>,
  found: number,
  members: readonly number[] | null,
): number | null {
  const isFiltered = search !== undefined || Object.values(filters).some((value) => value !== undefined)
  if (members && !isFiltered) return members.length
  const isLastPage = found < limit && (found > 0 || offset === 0)
  return isLastPage ? offset + found : null
}
