import { SUCCESS } from '../../http/api/answers.ts'
import { askForList } from '../engine/lists.ts'
import { question } from '../engine/question.ts'
import { countOf, toLabelSeries, toNumberSeries } from '../engine/series.ts'
import { aggregateUsers } from './contract.ts'
import { PROPERTIES, propertyUsers, userPropertiesReport } from './user-properties.ts'

export const aggregateUsersRoute = question(
  aggregateUsers,
  async ({ query: params }, asking) => {
    const { aggregation_param: selected, returned_values_limit: limit } = params
    const query = { property: PROPERTIES[selected], limit, ...asking.period, before: asking.before }
    const { values, allValues, allUsers, usersBefore } = await askForList(userPropertiesReport, query, asking)
    const xValues = toLabelSeries({ name: selected, data: values.map(({ value }) => value), keyValue: allValues })
    const users = toNumberSeries({
      name: 'users',
      data: values.map(({ users }) => users),
      headline: countOf(allUsers),
      before: countOf(usersBefore),
    })
    return {
      selected_property: selected,
      data: { xValues, yValues: [users], time_zone: asking.calendar.timeZone },
      ...SUCCESS,
    }
  },
  { reports: [userPropertiesReport], users: propertyUsers },
)
