import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { readAllEvents } from '../../../src/lifecycle/export/events.ts'
import { readAllUsers } from '../../../src/lifecycle/export/users.ts'
import { addJob } from '../../../src/lifecycle/jobs/statements.ts'
import { moveBy, newMove } from '../../../src/lifecycle/moves/move.ts'
import type { Placement } from '../../../src/storage/activity.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { workOnJobs } from '../../support/jobs.ts'
import { spreadOver } from '../../support/placement.ts'

const directory = openDatabase(env.DB)
const reading = { env, directory }
const START = Date.now() - 86_400_000

/** Every name has users in each database. */
const EVENTS = Array.from({ length: 120 }, (_, index) => ({
  event_type: `name ${index % 7}`,
  telegram_id: 1 + (index % 12),
  datetime: START + 1_000 * Math.floor(index / 3),
  session_id: '1',
  params: { index },
}))

const WORKS = { move: moveBy(10) }

const MOVES: readonly { from: Placement; to: Placement }[] = [
  { from: [1], to: [1, 2, 3, 2] },
  // Names of both become one, with ids that are greater or smaller than those that half of the users had.
  { from: [1, 2], to: [2] },
  { from: [3, 1, 2, 1], to: [2, 1] },
]

it.each(MOVES)('exports everything once while an application moves: $from to $to', async ({ from, to }) => {
  const { applicationId } = await createPlainApplication()
  await spreadOver(applicationId, 4, from)
  await deliver(messagesOf(applicationId, EVENTS))
  const query = { applicationId, from: 0, to: Number.MAX_SAFE_INTEGER, after: null }
  await addJob(directory, { applicationId, kind: 'move', progress: newMove({ from, to }), now: 0 })
  const places: number[] = []
  const users: number[] = []
  const people = readAllUsers({ applicationId, after: 0 }, reading, { users: 2, sessions: 9 })
  for await (const events of readAllEvents(query, reading, { events: 4, characters: 1_000 })) {
    places.push(...events.map(({ params }) => JSON.parse(params ?? '').index))
    const { value, done } = await people.next()
    if (!done) users.push(...value.map(({ telegram_id }) => telegram_id))
    await workOnJobs(applicationId, { steps: places.length > 60 ? undefined : 2, works: WORKS })
  }
  expect(places.toSorted((a, b) => a - b)).toEqual(EVENTS.map((_, index) => index))
  expect(users).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].slice(0, users.length))
  await workOnJobs(applicationId, { works: WORKS })
  for await (const some of people) users.push(...some.map(({ telegram_id }) => telegram_id))
  expect(users).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
})
