import { nameOfProperty } from '../../columns/selection/filter.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { askForList } from '../engine/lists.ts'
import { question } from '../engine/question.ts'
import { listPropertyValues } from './contract.ts'
import { propertyValuesReport } from './property-values.ts'

export const listPropertyValuesRoute = question(
  listPropertyValues,
  async ({ path: { property }, query: { contains, missing, filters, limit } }, asking) => {
    const query = { property, contains, missing, filters, limit, ...asking.period }
    const { values, total } = await askForList(propertyValuesReport, query, asking)
    return { ...SUCCESS, property: nameOfProperty(property), total, data: [...values] }
  },
  { reports: [propertyValuesReport], toldFirst: { sources: '/properties/source/values?limit=20' } },
)
