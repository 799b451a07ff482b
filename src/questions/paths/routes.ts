import { applicationOf } from '../../access/access.ts'
import { toName } from '../../base/text/text.ts'
import { dayOf } from '../../base/time/days.ts'
import { resolvePeriod } from '../../base/time/period.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { ask } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { periodFaults } from '../period.ts'
import { getEventPaths } from './contract.ts'
import { pathsReport } from './paths.ts'
import { findTargets, pathTargetsReport } from './targets.ts'

export const getEventPathsRoute = operation(
  getEventPaths,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query: { event, direction, steps, filters, ...dates } }, context) => {
    const period = resolvePeriod(dates, dayOf(context.now))
    const query = { event: toName(event), direction, steps, filters, ...period, targets: null }
    const isSpread = applicationOf(context.access).objects > 1
    const targets = isSpread
      ? await findTargets(query, async (part) => (await ask(pathTargetsReport, part, context)).data)
      : null
    const { asOf, data } = await ask(pathsReport, { ...query, targets }, context)
    context.setHeader(AS_OF_HEADER, asOf)
    return { data, ...SUCCESS }
  },
  { findFaults: periodFaults },
)
