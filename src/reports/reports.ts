import type { Report } from './report.ts'

type AnyReport = Report<unknown, unknown, unknown>

/** Every question that objects answer. */
const ALL: readonly unknown[] = []

/** By name. */
export const REPORTS: ReadonlyMap<string, AnyReport> = new Map(
  (ALL as readonly AnyReport[]).map((report) => [report.name, report]),
)
