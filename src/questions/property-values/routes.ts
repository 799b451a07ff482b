import { applicationOf } from '../../access/access.ts'
import { dayOf } from '../../base/time/days.ts'
import { resolvePeriod } from '../../base/time/period.ts'
import { nameOfProperty } from '../../columns/selection/filter.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { ask } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { periodFaults } from '../period.ts'
import { listPropertyValues } from './contract.ts'
import { askForPropertyValues, propertyValuesReport } from './property-values.ts'

export const listPropertyValuesRoute = operation(
  listPropertyValues,
  { header: 'x-api-key', scope: 'questions' },
  async ({ path: { property }, query: params }, context) => {
    const { contains, filters, limit } = params
    const { objects } = applicationOf(context.access)
    const query = { property, contains, filters, limit, ...resolvePeriod(params, dayOf(context.now)), objects }
    const { asOf, data } = await askForPropertyValues(query, (part) => ask(propertyValuesReport, part, context))
    context.setHeader(AS_OF_HEADER, asOf)
    return { ...SUCCESS, property: nameOfProperty(property), total: data.total, data: [...data.values] }
  },
  { findFaults: periodFaults },
)
