import { applicationOf } from '../../accounts/access.ts'
import { SUCCESS } from '../../api/answers.ts'
import { operation } from '../../api/operation.ts'
import { toName } from '../../text/text.ts'
import { dayOf } from '../../time/days.ts'
import { resolvePeriod } from '../../time/period.ts'
import { ask } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { periodFaults } from '../period.ts'
import { getEventPaths } from './contract.ts'
import { pathsReport } from './paths.ts'
import { findTargets, pathTargetsReport } from './targets.ts'

export const getEventPathsRoute = operation(
  getEventPaths,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query: { event, direction, steps, filters, ...asked } }, context) => {
    const period = resolvePeriod(asked, dayOf(context.now))
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
