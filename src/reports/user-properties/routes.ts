import { applicationOf } from '../../accounts/access.ts'
import { SUCCESS } from '../../api/answers.ts'
import { operation } from '../../api/operation.ts'
import { dayOf } from '../../time/days.ts'
import { precedingPeriod, resolvePeriod } from '../../time/period.ts'
import { periodFaults } from '../period.ts'
import { run } from '../run.ts'
import { countOf, toLabelSeries, toNumberSeries } from '../series.ts'
import { aggregateUsers } from './contract.ts'
import { activeUsersReport, userPropertiesReport } from './user-properties.ts'

export const aggregateUsersRoute = operation(
  aggregateUsers,
  { header: 'x-api-key', scope: 'full' },
  async ({ query }, { questions, now, access }) => {
    const { aggregation_param: property, returned_values_limit: limit } = query
    const { id: applicationId } = applicationOf(access)
    const period = resolvePeriod(query, dayOf(now))
    const [found, before] = await Promise.all([
      run(userPropertiesReport, { applicationId, property, limit, ...period }, questions),
      run(activeUsersReport, { applicationId, ...precedingPeriod(period) }, questions),
    ])
    const xValues = toLabelSeries({ name: property, data: found.values, keyValue: found.allValues })
    const users = toNumberSeries({
      name: 'users',
      data: found.users,
      headline: countOf(found.allUsers),
      before: countOf(before),
    })
    return { selected_property: property, data: { xValues, yValues: [users] }, ...SUCCESS }
  },
  { findFaults: periodFaults },
)
