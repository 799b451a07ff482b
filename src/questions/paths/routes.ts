import { SUCCESS } from '../../http/api/answers.ts'
import { question } from '../engine/question.ts'
import { getEventPaths } from './contract.ts'
import { askForPaths, pathsReport, pathUsers } from './paths.ts'
import { beginningOf } from './query.ts'
import { pathTargetsReport } from './targets.ts'

export const getEventPathsRoute = question(
  getEventPaths,
  async ({ query: { event, direction, steps, filters, exclude_pageviews: excludesPageviews } }, asking) => {
    const asked = { direction, steps, filters, excludesPageviews, targets: null }
    const query = { event: beginningOf(event), ...asked, ...asking.period }
    return { data: await askForPaths(query, asking), ...SUCCESS }
  },
  { reports: [pathsReport, pathTargetsReport], users: pathUsers },
)
