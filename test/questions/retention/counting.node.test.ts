import fc from 'fast-check'
import { expect, it } from 'vitest'
import { boundsOf } from '../../../src/base/time/intervals.ts'
import { findLargestGroups } from '../../../src/questions/group-users.ts'
import { nameOf } from '../../../src/questions/groups.ts'
import { collectGroupSizes, groupSizesReport } from '../../../src/questions/retention/group-sizes.ts'
import type { RetentionQuery } from '../../../src/questions/retention/query.ts'
import { followCohorts, retentionReport, toMatrix } from '../../../src/questions/retention/retention.ts'
import { holds } from '../../support/cases.ts'
import { type MadeHistory, madeHistory } from '../../support/event-history.ts'
import { askedRetentions } from '../../support/made-up-retention.ts'
import { askParts, meantBy, partsOf } from '../../support/parts.ts'
import { answerRetention, type RetentionQuestion } from '../../support/retention-oracle.ts'
import { tell } from '../../support/telling.ts'
import { madeVisits } from '../../support/visits.ts'

const histories: fc.Arbitrary<MadeHistory> = fc.oneof(
  { weight: 3, arbitrary: madeVisits },
  { weight: 1, arbitrary: madeHistory },
)

const WIDE = {}
/** So little room that nearly every question by a parameter takes several passes. */
const NARROW = { room: { groups: 2, characters: 20 }, maxCharacters: 100 }

it.each([
  ['one object', 1, WIDE],
  ['one object with little room', 1, NARROW],
  ['two objects', 2, WIDE],
  ['four objects with little room', 4, NARROW],
])('answers from %s as looking at every user in every interval does', async (_, objects, room) => {
  await holds(
    fc.asyncProperty(askedRetentions(histories, { questions: 10 }), async ({ history: { events }, asked }) => {
      const parts = partsOf(events, objects)
      for (const { question } of asked) {
        const answer = await answerOf(parts, question, room)
        expect(answer, tell(events, question, '')).toEqual(answerRetention(events, question).data)
      }
    }),
    { atLeast: 20, atMost: 500, endOnFailure: true },
  )
})

async function answerOf(parts: ReturnType<typeof partsOf>, question: RetentionQuestion, room: Partial<typeof NARROW>) {
  const query = queryOf(question)
  const groups =
    parts.length > 1 && query.groupBy
      ? await findLargestGroups(async (share) => {
          const asked = { ...query, share }
          const told = askParts(parts, (columns) => collectGroupSizes(columns, asked, room))
          return groupSizesReport.result(told, asked)
        })
      : null
  const asked = { ...query, groups }
  const { all, groups: found } = retentionReport.result(
    askParts(parts, (columns) => followCohorts(columns, asked, room.room)),
    asked,
  )
  const told = found.map((group) => ({ name: nameOf(group.values), ...toMatrix(group, query.bounds) }))
  return [{ ...toMatrix(all, query.bounds), groupBy: question.groupBy[0] ?? '', groups: told }]
}

function queryOf({
  startEvent,
  returnEvent,
  mode,
  from,
  to,
  interval,
  today,
  ...asked
}: RetentionQuestion): RetentionQuery {
  const { filters, groupBy } = meantBy(asked)
  return {
    startEvent: startEvent === '_active' ? null : startEvent,
    returnEvent: returnEvent === '_active' ? null : returnEvent,
    mode,
    bounds: boundsOf({ from, to }, interval, today),
    filters,
    groupBy: groupBy[0] ?? null,
    groups: null,
  }
}
