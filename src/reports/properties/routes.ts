import { applicationOf } from '../../accounts/access.ts'
import { SUCCESS } from '../../api/answers.ts'
import { operation } from '../../api/operation.ts'
import { dayOf } from '../../time/days.ts'
import { resolvePeriod } from '../../time/period.ts'
import { ask } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { CONTEXT_FIELDS, nameOfProperty } from '../filters/filter.ts'
import { periodFaults } from '../period.ts'
import { listProperties } from './contract.ts'
import { askForProperties, propertiesReport } from './properties.ts'

export const listPropertiesRoute = operation(
  listProperties,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query: asked }, context) => {
    const { objects } = applicationOf(context.access)
    const query = { limit: asked.limit, ...resolvePeriod(asked, dayOf(context.now)), objects }
    const { asOf, data } = await askForProperties(query, (part) => ask(propertiesReport, part, context))
    context.setHeader(AS_OF_HEADER, asOf)
    const { contexts, params, allParams } = data
    const ofContexts = CONTEXT_FIELDS.map(({ field }, place) => ({ property: field, events: contexts[place] ?? 0 }))
    const ofParams = params.map(({ name, events }) => ({ property: nameOfProperty({ of: 'params', name }), events }))
    return { ...SUCCESS, total: ofContexts.length + allParams, data: [...ofContexts, ...ofParams] }
  },
  { findFaults: periodFaults },
)
