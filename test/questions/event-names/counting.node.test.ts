import fc from 'fast-check'
import { askForList } from '../../../src/questions/engine/lists.ts'
import { eventNamesReport } from '../../../src/questions/event-names/event-names.ts'
import { DAY_MS, type MadeHistory, madeHistory } from '../../support/event-history.ts'
import { answerNames, type NamesQuestion } from '../../support/event-names-oracle.ts'
import { type Asked, askedHistories, filtersOf } from '../../support/made-up-questions.ts'
import { answersAsOracle, toFiltersAndGroups } from '../../support/parts.ts'

function namesOf(history: MadeHistory): fc.Arbitrary<Asked<NamesQuestion>> {
  const { events, names } = history
  const part = fc
    .tuple(fc.constantFrom(...names), fc.nat(), fc.integer({ min: 0, max: 2 }))
    .map(([name, from, length]) => name.slice(from % name.length).slice(0, length))
  return fc
    .record({
      contains: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 2, arbitrary: part }),
      filters: filtersOf(history),
      limit: fc.integer({ min: 1, max: 4 }),
      offset: fc.constantFrom(0, 0, 1, 2, 5),
      to: fc.constantFrom(...events.map(({ datetime }) => Math.floor(datetime / DAY_MS))),
      days: fc.integer({ min: 1, max: 9 }),
    })
    .map(({ days, ...rest }) => ({ question: { ...rest, from: rest.to - days + 1 }, path: '' }))
}

answersAsOracle({
  cases: askedHistories(madeHistory, namesOf, 8),
  answer: (objects, { question }) =>
    askForList(eventNamesReport, { ...question, ...toFiltersAndGroups({ ...question, groupBy: [] }) }, objects),
  expected: answerNames,
})
