import { applicationOf } from '../../access/access.ts'
import { dayOf } from '../../base/time/days.ts'
import { precedingPeriod, resolvePeriod } from '../../base/time/period.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { ask } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { periodFaults } from '../period.ts'
import { countOf, toLabelSeries, toNumberSeries } from '../series.ts'
import { aggregateUsers } from './contract.ts'
import { askForValues, PROPERTIES, userPropertiesReport } from './user-properties.ts'

export const aggregateUsersRoute = operation(
  aggregateUsers,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query: params }, context) => {
    const { aggregation_param: selected, returned_values_limit: limit } = params
    const period = resolvePeriod(params, dayOf(context.now))
    const { objects } = applicationOf(context.access)
    const query = { property: PROPERTIES[selected], limit, ...period, before: precedingPeriod(period), objects }
    const { asOf, data: found } = await askForValues(query, (part) => ask(userPropertiesReport, part, context))
    context.setHeader(AS_OF_HEADER, asOf)
    const xValues = toLabelSeries({
      name: selected,
      data: found.values.map(({ value }) => value),
      keyValue: found.allValues,
    })
    const users = toNumberSeries({
      name: 'users',
      data: found.values.map(({ users }) => users),
      headline: countOf(found.allUsers),
      before: countOf(found.usersBefore),
    })
    return { selected_property: selected, data: { xValues, yValues: [users] }, ...SUCCESS }
  },
  { findFaults: periodFaults },
)
