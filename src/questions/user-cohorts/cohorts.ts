import { applicationOf, calendarOfCaller } from '../../access/access.ts'
import { listSavedQuestions } from '../../accounts/applications/saved-questions.ts'
import { listBoards } from '../../accounts/boards/boards.ts'
import { Failure, Invalid } from '../../base/errors.ts'
import { compareTexts } from '../../base/text/order.ts'
import type { Calendar } from '../../base/time/calendar.ts'
import { COHORT } from '../../columns/selection/filter.ts'
import type { CohortReference, RequestContext } from '../../http/context.ts'
import type { Database } from '../../storage/database.ts'
import { cohortsIn } from '../engine/cohort-references.ts'
import { type CohortRule, type DefinedRule, listedIn } from '../engine/cohort-rule.ts'
import type { Question } from '../engine/report.ts'
import { readRevenueRules } from '../revenue-rules/rules.ts'
import { parseDefinition } from './definition/contract.ts'
import { ruleOf } from './rule-today.ts'
import { type CohortRow, deleteCohortRow, selectCohort, selectCohorts, selectNames, upsertCohort } from './sql.ts'

/** The most cohorts of an application. */
export const MAX_COHORTS = 100
/** The most cohorts in one question: each takes a byte per user in every object. */
export const MAX_ASKED = 10
export const COHORTS_FULL = `An application has at most ${MAX_COHORTS} cohorts. Delete one you no longer need.`
/** The most messenger ids that the cohorts of one question list: 4 MB. */
export const MAX_LISTED_ASKED = 500_000
export const NO_COHORT = 'The application has no cohort of this name.'

/** Lists an application's cohorts, by name. */
export async function listCohorts(db: Database, applicationId: number) {
  const rows = await selectCohorts(db, applicationId)
  return rows.toSorted((a, b) => compareTexts(a.name, b.name))
}

/** Lists the names of an application's cohorts, in order. */
export async function listCohortNames(db: Database, applicationId: number): Promise<string[]> {
  const rows = await selectNames(db, applicationId)
  return rows.map(({ name }) => name).toSorted(compareTexts)
}

/** Finds a cohort by its name. Throws `not-found`. */
export async function findCohort(db: Database, applicationId: number, name: string): Promise<CohortRow> {
  const [row] = await selectCohort(db, { applicationId, name })
  if (!row) throw new Failure('not-found', NO_COHORT)
  return row
}

/** Stores a cohort, replacing one of the same name. Throws `conflict` if the application has too many. */
export async function putCohort(db: Database, row: CohortRow): Promise<CohortRow> {
  const [stored] = await upsertCohort(db, row, MAX_COHORTS)
  if (!stored) throw new Failure('conflict', COHORTS_FULL)
  return { ...row, ...stored }
}

/** Deletes a cohort. Throws `not-found`, and `conflict` if a saved question or a board refers to it. */
export async function deleteCohort(db: Database, applicationId: number, name: string): Promise<CohortRow> {
  const [saved, boards] = [await listSavedQuestions(db, applicationId), await listBoards(db, applicationId)]
  const addresses = [...saved, ...boards.map((board) => ({ name: board.name, address: `?${board.query}` }))]
  const users = addresses.filter(({ address }) => refersTo(address, name)).map((one) => `“${one.name}”`)
  if (users.length > 0) throw new Failure('conflict', `Saved reports refer to this cohort: ${users.join(', ')}.`)
  const [deleted] = await deleteCohortRow(db, { applicationId, name })
  if (!deleted) throw new Failure('not-found', NO_COHORT)
  return deleted
}

/** Whether an address of the pages filters or groups by a cohort. */
function refersTo(address: string, name: string): boolean {
  const params = new URLSearchParams(address.replace(/^[^?]*/, ''))
  const groups = params.getAll('group_by').flatMap((text) => jsonIn(text) ?? text.split(',').map((word) => word.trim()))
  const filters = params.getAll('filters').flatMap((text) => jsonIn(text) ?? [])
  return groups.includes(`${COHORT}:${name}`) || filters.some((filter) => isBy(filter, name))
}

/** The items of a JSON array, or of a single item; null for any other text. */
function jsonIn(text: string): unknown[] | null {
  try {
    return [JSON.parse(text)].flat()
  } catch {
    return null
  }
}

function isBy(filter: unknown, name: string): boolean {
  const { prop, values } = (filter ?? {}) as { prop?: unknown; values?: unknown }
  return prop === COHORT && [values].flat().includes(name)
}

/** The cohorts that questions of figures refer to, with the condition's number. A stored cohort must not have any. */
export function cohortsOfFigures({ conditions }: DefinedRule): { readonly name: string; readonly condition: number }[] {
  return conditions.flatMap((condition, number) =>
    cohortsIn(condition).map(({ name }) => ({ name, condition: number })),
  )
}

type Caller = Pick<RequestContext, 'access' | 'db' | 'now'> & { readonly calendar: Calendar }

/** Finds the rules of the cohorts that a request refers to, as resolved today. Throws `Invalid` for unknown names. */
export async function findCohorts(
  references: readonly CohortReference[],
  { access, db, now }: Omit<Caller, 'calendar'>,
): Promise<NonNullable<Question['cohorts']>> {
  const caller = { access, db, now, calendar: calendarOfCaller(access) }
  const { id: applicationId } = applicationOf(access)
  const names = [...new Set(references.map(({ name }) => name))]
  if (names.length > MAX_ASKED) throw tooMuch(references, `A question should refer to at most ${MAX_ASKED} cohorts`)
  const rules: (readonly [string, CohortRule])[] = []
  let listed = 0
  // One by one: as text, a long list takes much more memory than as numbers.
  for (const name of names) {
    const [row] = await selectCohort(caller.db, { applicationId, name })
    if (!row) throw await unknownCohorts(references, caller.db, applicationId)
    const rule = await ruleToday(row, caller)
    listed += listedIn(rule)
    if (listed > MAX_LISTED_ASKED) throw tooMuch(references, TOO_MANY_LISTED)
    rules.push([name, rule])
  }
  return rules
}

const TOO_MANY_LISTED = `The cohorts of a question should list at most ${MAX_LISTED_ASKED} telegram ids`

function tooMuch(references: readonly CohortReference[], msg: string): Invalid {
  return new Invalid([{ loc: ['query', ...(references.at(-1)?.path ?? [])], msg, type: 'too_long' }])
}

/** Finds a cohort, with its rule as resolved today. Throws `not-found`. */
export async function findRule(name: string, caller: Caller) {
  const row = await findCohort(caller.db, applicationOf(caller.access).id, name)
  return { row, rule: await ruleToday(row, caller) }
}

async function ruleToday({ definition }: CohortRow, caller: Caller): Promise<CohortRule> {
  return resolveRule(parseDefinition(definition), caller)
}

/** Resolves a rule as of today. */
export async function resolveRule(rule: DefinedRule, { access, db, now, calendar }: Caller): Promise<CohortRule> {
  const isAboutRevenue = rule.conditions.some(({ type }) => type === 'revenue' || type === 'figure')
  const revenueRules = isAboutRevenue ? (await readRevenueRules(db, applicationOf(access).id)).rules : []
  return ruleOf(rule, { calendar, today: calendar.dayOf(now), revenueRules })
}

async function unknownCohorts(references: readonly CohortReference[], db: Database, applicationId: number) {
  const known = await listCohortNames(db, applicationId)
  const names = known.length === 0 ? 'there are none yet' : known.map((name) => `'${name}'`).join(', ')
  const missing = references.filter(({ name }) => !known.includes(name))
  const msg = `Input should be the name of a cohort: ${names}`
  return new Invalid(missing.map(({ path }) => ({ loc: ['query', ...path], msg, type: 'enum' })))
}
