import { ownerOf } from '../../access/access.ts'
import { findOwnApplication } from '../../accounts/applications/applications.ts'
import { calendarOf } from '../../base/time/calendar.ts'
import { SUCCESS, TIME_ZONE_HEADER } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { askAbout } from '../engine/ask.ts'
import { askForList } from '../engine/lists.ts'
import type { AnyReport, Asking } from '../engine/report.ts'
import { MAX_UNMATCHED, PREVIEW_DAYS, previewSources } from './contract.ts'
import { sourcePreviewReport } from './source-preview.ts'

const preview = operation(
  previewSources,
  { header: 'x-api-key', scope: 'full' },
  async ({ path, body: { sources } }, context) => {
    const application = await findOwnApplication(context.db, path.handle, ownerOf(context.access))
    const calendar = calendarOf(application.timeZone)
    context.setHeader(TIME_ZONE_HEADER, calendar.timeZone)
    const since = calendar.startOf(calendar.dayOf(context.now) - PREVIEW_DAYS + 1)
    const asking: Asking = {
      objects: application.objects,
      ask: async (report, query) => (await askAbout(application, report, query, context)).data,
    }
    const query = { rules: sources, since, limit: MAX_UNMATCHED }
    const { users, acquired, rules, unmatched, totalUnmatched } = await askForList(sourcePreviewReport, query, asking)
    const data = {
      users,
      acquired,
      rules: rules.map(({ users, examples }, index) => ({
        pattern: sources[index]?.pattern ?? '',
        users,
        examples: [...examples],
      })),
      unmatched: unmatched.map(({ startParameter, users }) => ({ start_parameter: startParameter, users })),
      total_unmatched: totalUnmatched,
    }
    return { data, ...SUCCESS }
  },
)

export const previewSourcesRoute = { ...preview, reports: [sourcePreviewReport as unknown as AnyReport] }
