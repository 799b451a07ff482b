import { nameOfProperty } from '../../columns/selection/filter.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { toEventName } from '../engine/event-name.ts'
import { askForList } from '../engine/lists.ts'
import { question } from '../engine/question.ts'
import { listProperties } from './contract.ts'
import { LISTED, propertiesReport } from './properties.ts'

export const listPropertiesRoute = question(
  listProperties,
  async ({ query: { limit, event } }, asking) => {
    const query = { limit, event: toEventName(event), listed: LISTED, ...asking.period }
    const { contexts, params, allParams } = await askForList(propertiesReport, query, asking)
    const listed = LISTED.map((property, index) => ({
      property: nameOfProperty(property),
      events: contexts[index] ?? 0,
    }))
    const ofParams = params.map(({ name, events }) => ({ property: nameOfProperty({ of: 'params', name }), events }))
    return { ...SUCCESS, total: listed.length + allParams, data: [...listed, ...ofParams] }
  },
  { reports: [propertiesReport], toldFirst: { properties: `${listProperties.path}?limit=100` } },
)
