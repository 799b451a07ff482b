import { daysIn, resolvePeriod } from '../../base/time/period.ts'
import { codedWhole } from '../../columns/selection/coded.ts'
import { countedBy } from '../engine/figures.ts'
import { propertyFigures } from './contract.ts'
import { LatestContexts } from './latest-users.ts'
import { PROPERTIES } from './user-properties.ts'

/** The users whose latest event in the period has a value. */
export const propertyUsers = countedBy(propertyFigures, {
  toQuery: ({ aggregation_param: param, ...params }, { value = null }, { today }) => ({
    property: PROPERTIES[param],
    value,
    ...resolvePeriod(params, today),
  }),
  *find(columns, { property, value, ...period }) {
    const { codes, codeOf } = codedWhole(columns, { of: 'context', name: property })
    const code = value === null ? null : codeOf(value)
    const found = new Uint8Array(columns.userCount)
    const latest = new LatestContexts(columns.userCount)
    for (const day of daysIn(period).reverse()) {
      const { users, contexts, length } = latest.on(columns.pairsOf(day))
      for (let index = 0; index < length; index++) {
        found[users[index] as number] = Number(value === null || codes[contexts[index] as number] === code)
      }
      yield
    }
    return found
  },
})
