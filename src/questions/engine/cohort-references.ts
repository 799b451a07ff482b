import type { CohortReference } from '../../http/context.ts'

/** The cohorts that a request refers to. */
export function cohortsIn(value: unknown, path: readonly (string | number)[] = []): CohortReference[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return []
  if (Array.isArray(value)) return value.flatMap((item, index) => cohortsIn(item, [...path, index]))
  const { property, values } = value as { property?: { of?: unknown; name?: unknown }; values?: unknown }
  if (property?.of === 'cohort') {
    const names = property.name === '' && Array.isArray(values) ? (values as string[]) : [String(property.name)]
    return names.map((name) => ({ name, path }))
  }
  const own = value as { of?: unknown; name?: unknown }
  if (own.of === 'cohort') return [{ name: String(own.name), path }]
  return Object.entries(value).flatMap(([field, item]) => cohortsIn(item, [...path, field]))
}
