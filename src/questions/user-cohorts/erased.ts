import type { Database } from '../../storage/database.ts'
import { type CohortRow, deleteCohortRow, replaceDefinition, selectCohort, selectNamesWith } from './sql.ts'

interface Erased {
  readonly applicationId: number
  readonly telegramId: number
  /** Whether a text contains the person's messenger id as a number of its own. */
  readonly isMentioned: (text: string) => boolean
}

/** Removes a person from all lists. Deletes cohorts whose name or conditions mention the id elsewhere. */
export async function eraseFromCohorts(db: Database, erased: Erased): Promise<void> {
  const { applicationId, telegramId } = erased
  // One by one: a list may be long.
  for (const { name } of await selectNamesWith(db, applicationId, String(telegramId))) {
    let isDone = false
    while (!isDone) {
      const [row] = await selectCohort(db, { applicationId, name })
      isDone = row === undefined || (await eraseFrom(db, row, erased))
    }
  }
}

/** Removes a person from one cohort. Returns false if the cohort was changed meanwhile. */
async function eraseFrom(db: Database, row: CohortRow, { telegramId, isMentioned }: Erased): Promise<boolean> {
  const definition = JSON.parse(row.definition) as { conditions: Record<string, unknown>[] }
  const conditions = definition.conditions.map((condition) => {
    const { telegram_ids: ids } = condition
    return Array.isArray(ids) ? { ...condition, telegram_ids: ids.filter((id) => id !== telegramId) } : condition
  })
  if ([row.name, ...textsIn(conditions)].some(isMentioned)) {
    await deleteCohortRow(db, row)
    return true
  }
  const changed = JSON.stringify({ ...definition, conditions })
  return changed === row.definition || (await replaceDefinition(db, row, changed)).length > 0
}

/** The names of events and properties, and values. Other numbers, and days, do not identify people. */
function textsIn(value: unknown, field = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, field))
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([own, item]) => textsIn(item, own))
  }
  return TEXT_FIELDS.has(field) ? [String(value)] : []
}

const TEXT_FIELDS = new Set(['event', 'events', 'prop', 'values'])
