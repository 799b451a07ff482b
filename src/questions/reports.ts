import { enterpriseSummaryReport } from './enterprise-summary/enterprise-summary.ts'
import { eventNamesReport } from './event-names/event-names.ts'
import { segmentCandidatesReport } from './event-segments/candidates.ts'
import { eventSegmentsReport } from './event-segments/event-segments.ts'
import { firstEventReport } from './first-event/first-event.ts'
import { funnelCandidatesReport } from './funnels/candidates.ts'
import { funnelReport } from './funnels/funnels.ts'
import { latestEventsReport } from './latest-events/latest-events.ts'
import { pathsReport } from './paths/paths.ts'
import { pathTargetsReport } from './paths/targets.ts'
import { propertiesReport } from './properties/properties.ts'
import { propertyValuesReport } from './property-values/property-values.ts'
import type { Report } from './report.ts'
import { groupSizesReport } from './retention/group-sizes.ts'
import { retentionReport } from './retention/retention.ts'
import { sessionAveragesReport } from './sessions/session-averages.ts'
import { sessionLengthsReport } from './sessions/session-lengths.ts'
import { userActivityReport } from './user-activity/user-activity.ts'
import { userEventsReport } from './user-events/user-events.ts'
import { userPropertiesReport } from './user-properties/user-properties.ts'

type AnyReport = Report<unknown, unknown, unknown>

/** Every question that objects answer. A new one is a line here. */
const ALL: readonly Pick<AnyReport, 'name'>[] = [
  eventSegmentsReport,
  segmentCandidatesReport,
  eventNamesReport,
  latestEventsReport,
  firstEventReport,
  propertiesReport,
  propertyValuesReport,
  userEventsReport,
  funnelReport,
  funnelCandidatesReport,
  userPropertiesReport,
  userActivityReport,
  retentionReport,
  groupSizesReport,
  sessionAveragesReport,
  sessionLengthsReport,
  enterpriseSummaryReport,
  pathsReport,
  pathTargetsReport,
]

/** By name. */
export const REPORTS: ReadonlyMap<string, AnyReport> = new Map(
  (ALL as readonly AnyReport[]).map((report) => [report.name, report]),
)
