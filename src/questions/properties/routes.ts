import { applicationOf } from '../../access/access.ts'
import { dayOf } from '../../base/time/days.ts'
import { resolvePeriod } from '../../base/time/period.ts'
import { CONTEXT_FIELDS, nameOfProperty } from '../../columns/selection/filter.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { ask } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { periodFaults } from '../period.ts'
import { listProperties } from './contract.ts'
import { askForProperties, propertiesReport } from './properties.ts'

export const listPropertiesRoute = operation(
  listProperties,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query: { limit, ...dates } }, context) => {
    const { objects } = applicationOf(context.access)
    const query = { limit, ...resolvePeriod(dates, dayOf(context.now)), objects }
    const { asOf, data } = await askForProperties(query, (part) => ask(propertiesReport, part, context))
    context.setHeader(AS_OF_HEADER, asOf)
    const { contexts, params, allParams } = data
    const ofContexts = CONTEXT_FIELDS.map(({ field }, index) => ({ property: field, events: contexts[index] ?? 0 }))
    const ofParams = params.map(({ name, events }) => ({ property: nameOfProperty({ of: 'params', name }), events }))
    return { ...SUCCESS, total: ofContexts.length + allParams, data: [...ofContexts, ...ofParams] }
  },
  { findFaults: periodFaults },
)
