import { toName } from '../../base/text/text.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { question } from '../operation.ts'
import { getEventPaths } from './contract.ts'
import { askForPaths, pathsReport } from './paths.ts'
import { pathTargetsReport } from './targets.ts'

export const getEventPathsRoute = question(
  getEventPaths,
  async ({ query: { event, direction, steps, filters } }, asking) => {
    const query = { event: toName(event), direction, steps, filters, ...asking.period, targets: null }
    return { data: await askForPaths(query, asking), ...SUCCESS }
  },
  { reports: [pathsReport, pathTargetsReport] },
)
