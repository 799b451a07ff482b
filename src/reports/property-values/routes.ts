import { applicationOf } from '../../accounts/access.ts'
import { SUCCESS } from '../../api/answers.ts'
import { operation } from '../../api/operation.ts'
import { dayOf } from '../../time/days.ts'
import { resolvePeriod } from '../../time/period.ts'
import { ask } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { nameOfProperty } from '../filters/filter.ts'
import { periodFaults } from '../period.ts'
import { listPropertyValues } from './contract.ts'
import { askForPropertyValues, propertyValuesReport } from './property-values.ts'

export const listPropertyValuesRoute = operation(
  listPropertyValues,
  { header: 'x-api-key', scope: 'questions' },
  async ({ path: { property }, query: asked }, context) => {
    const { contains, filters, limit } = asked
    const { objects } = applicationOf(context.access)
    const query = { property, contains, filters, limit, ...resolvePeriod(asked, dayOf(context.now)), objects }
    const { asOf, data } = await askForPropertyValues(query, (part) => ask(propertyValuesReport, part, context))
    context.setHeader(AS_OF_HEADER, asOf)
    return { ...SUCCESS, property: nameOfProperty(property), total: data.total, data: [...data.values] }
  },
  { findFaults: periodFaults },
)
