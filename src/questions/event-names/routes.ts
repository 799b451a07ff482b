import { applicationOf } from '../../access/access.ts'
import { toPartOfName } from '../../base/text/text.ts'
import { dayOf, toIso } from '../../base/time/days.ts'
import { resolvePeriod } from '../../base/time/period.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { ask } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { periodFaults } from '../period.ts'
import { listEventNames } from './contract.ts'
import { askForNames, eventNamesReport } from './event-names.ts'

export const listEventNamesRoute = operation(
  listEventNames,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query: params }, context) => {
    const { filters, limit, offset } = params
    const { objects } = applicationOf(context.access)
    const period = resolvePeriod(params, dayOf(context.now))
    const query = { contains: toPartOfName(params.contains), filters, limit, offset, ...period, objects }
    const { asOf, data } = await askForNames(query, (part) => ask(eventNamesReport, part, context))
    context.setHeader(AS_OF_HEADER, asOf)
    const names = data.names.map(({ first, last, ...counts }) => ({
      ...counts,
      first_seen_at: toIso(first),
      last_seen_at: toIso(last),
    }))
    return { ...SUCCESS, limit, offset, total: data.total, data: names }
  },
  { findFaults: periodFaults },
)
