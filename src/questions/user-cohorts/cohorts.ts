import { applicationOf } from '../../access/access.ts'
import { listSavedQuestions } from '../../accounts/applications/saved-questions.ts'
import { Failure, Invalid } from '../../base/errors.ts'
import { compareTexts } from '../../base/text/order.ts'
import type { Calendar } from '../../base/time/calendar.ts'
import { COHORT } from '../../columns/selection/filter.ts'
import type { RequestContext } from '../../http/context.ts'
import type { Database } from '../../storage/database.ts'
import type { Question } from '../question.ts'
import { readRevenueRules } from '../revenue-rules/rules.ts'
import { type CohortReference, cohortsIn } from './asked-cohorts.ts'
import { parseDefinition } from './definition/contract.ts'
import type { CohortRule, DefinedRule } from './rule.ts'
import { ruleOf } from './rule-today.ts'
import { type CohortRow, deleteCohortRow, selectCohortNames, selectCohorts, upsertCohort } from './sql.ts'

export const MAX_COHORTS = 100
/** Each takes a byte for every user, in every object. */
const MAX_ASKED = 10
export const COHORTS_FULL = `An application has at most ${MAX_COHORTS} cohorts. Delete one you no longer need.`
export const NO_COHORT = 'The application has no cohort of this name.'

/** Those of an application, by name. */
export async function listCohorts(db: Database, applicationId: number) {
  const rows = await selectCohortNames(db, applicationId)
  return rows.toSorted((a, b) => compareTexts(a.name, b.name))
}

/** Throws `not-found`. */
async function findCohort(db: Database, applicationId: number, name: string): Promise<CohortRow> {
  const [row] = await selectCohorts(db, applicationId, [name])
  if (!row) throw new Failure('not-found', NO_COHORT)
  return row
}

/** Replaces a cohort of the same name. Throws `conflict` if the application has too many. */
export async function putCohort(db: Database, row: CohortRow): Promise<CohortRow> {
  const [stored] = await upsertCohort(db, row, MAX_COHORTS)
  if (!stored) throw new Failure('conflict', COHORTS_FULL)
  return { ...row, ...stored }
}

/** Throws `not-found`, and `conflict` if a saved question refers to it. */
export async function deleteCohort(db: Database, applicationId: number, name: string): Promise<CohortRow> {
  const saved = await listSavedQuestions(db, applicationId)
  const users = saved.filter(({ address }) => refersTo(address, name)).map((question) => `“${question.name}”`)
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

/** A cohort that the question of a figure refers to, and the condition's number; a stored cohort must not have any. */
export function cohortsOfFigures({ conditions }: DefinedRule): { readonly name: string; readonly condition: number }[] {
  return conditions.flatMap((condition, number) =>
    cohortsIn(condition).map(({ name }) => ({ name, condition: number })),
  )
}

type Asker = Pick<RequestContext, 'access' | 'db' | 'now'> & { readonly calendar: Calendar }

/** The rules of the cohorts that a request refers to, as they are today. Throws `Invalid` for names that are none. */
export async function findCohorts(
  references: readonly CohortReference[],
  { access, db, now, calendar }: Asker,
): Promise<NonNullable<Question['cohorts']>> {
  if (references.length === 0) return []
  const { id } = applicationOf(access)
  const names = [...new Set(references.map(({ name }) => name))]
  const rows = await selectCohorts(db, id, names)
  const missing = references.filter(({ name }) => !rows.some((row) => row.name === name))
  if (missing.length > 0) throw await unknownCohorts(missing, { db, id })
  if (names.length > MAX_ASKED) {
    const msg = `A question should refer to at most ${MAX_ASKED} cohorts`
    throw new Invalid([{ loc: ['query', ...(references.at(-1)?.path ?? [])], msg, type: 'too_long' }])
  }
  const context = { calendar, today: calendar.dayOf(now), revenueRules: (await readRevenueRules(db, id)).rules }
  return rows.map(({ name, definition }) => [name, ruleOf(parseDefinition(definition), context)] as const)
}

/** A cohort with its rule as it is today. Throws `not-found`. */
export async function findRule(name: string, asker: Asker) {
  const row = await findCohort(asker.db, applicationOf(asker.access).id, name)
  return { row, rule: await resolveRule(parseDefinition(row.definition), asker) }
}

/** A rule as it is today. */
export async function resolveRule(rule: DefinedRule, { access, db, now, calendar }: Asker): Promise<CohortRule> {
  const { rules: revenueRules } = await readRevenueRules(db, applicationOf(access).id)
  return ruleOf(rule, { calendar, today: calendar.dayOf(now), revenueRules })
}

async function unknownCohorts(missing: readonly CohortReference[], { db, id }: { db: Database; id: number }) {
  const known = await listCohorts(db, id)
  const names = known.length === 0 ? 'there are none yet' : known.map(({ name }) => `'${name}'`).join(', ')
  const msg = `Input should be the name of a cohort: ${names}`
  return new Invalid(missing.map(({ path }) => ({ loc: ['query', ...path], msg, type: 'enum' })))
}
