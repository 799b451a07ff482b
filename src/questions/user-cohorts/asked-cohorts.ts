import type { Columns } from '../../columns/columns.ts'
import { BOUNDS, type Bounds, type Question, type Report } from '../engine/report.ts'
import { findMembers } from './members.ts'

// A query refers to cohorts by properties, in filters and in groups. Their rules are sent with the query, and each
// object finds out once per question which of its users are members.

/** Answers a report, after finding the members of the cohorts that the question refers to, if any. */
export function* answerReport(
  report: Report<unknown, unknown, unknown>,
  columns: Columns,
  { query, cohorts = [] }: Pick<Question, 'query' | 'cohorts'>,
  bounds: Bounds = BOUNDS,
): Generator<void, unknown> {
  const masks = new Map<string, Uint8Array>()
  for (const [name, rule] of cohorts) masks.set(name, yield* findMembers(columns, rule, bounds))
  return yield* report.part(columns, masks.size > 0 ? withMasks(query, masks) : query, bounds)
}

function withMasks(value: unknown, masks: ReadonlyMap<string, Uint8Array>): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (Array.isArray(value)) return value.map((item) => withMasks(item, masks))
  if ((value as { of?: unknown }).of === 'cohort') return { ...value, masks }
  return Object.fromEntries(Object.entries(value).map(([field, item]) => [field, withMasks(item, masks)]))
}
