import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Placement } from '../../src/storage/activity.ts'
import { readEvents, readSessions, readWallets } from '../support/activity.ts'
import { type CollectingApplication, createPlainApplication } from '../support/applications.ts'
import { holds, reachesAll } from '../support/cases.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { garbledJourneyOf, history, type Journey, journeyOf, toWire } from '../support/made-up-history.ts'
import { place, placements } from '../support/placement.ts'
import { RareStates } from '../support/rare-states.ts'
import { type Happening, tellSessions, tellUsers } from '../support/user-history.ts'
import { listStoredUsers } from '../support/user-list.ts'

const states = new RareStates([
  'an event that comes again in the same delivery',
  'an event that comes again in a later delivery',
  'an id that comes again with another event',
  'an id that another user used',
  'an event that arrives after a later one',
  'events of one user at one instant',
])

function noteStates(journey: Journey): void {
  const deliveries = journey.map((messages) => messages.flat())
  const all = deliveries.flat()
  const isRepeated = (events: readonly Happening[]) => new Set(events).size < events.length
  const named = Map.groupBy(
    all.filter(({ eventId }) => eventId),
    ({ eventId }) => eventId,
  )
  const namesakes = [...named.values()].map((events) => [...new Set(events)])
  states.seen('an event that comes again in the same delivery', deliveries.some(isRepeated))
  states.seen(
    'an event that comes again in a later delivery',
    isRepeated(deliveries.flatMap((one) => [...new Set(one)])),
  )
  states.seen(
    'an id that comes again with another event',
    namesakes.some(({ length }) => length > 1),
  )
  states.seen(
    'an id that another user used',
    namesakes.some((events) => new Set(events.map(({ telegramId }) => telegramId)).size > 1),
  )
  const isLate = ({ time }: Happening, place: number) => place > 0 && time < (all[place - 1] as Happening).time
  states.seen('an event that arrives after a later one', all.some(isLate))
  const instants = new Set([...new Set(all)].map(({ telegramId, time }) => `${telegramId} ${time}`))
  states.seen('events of one user at one instant', instants.size < new Set(all).size)
}

/** A new application to which all of this was delivered. */
async function live(journey: Journey, databases: Placement): Promise<CollectingApplication> {
  const application = await createPlainApplication()
  await place(application.applicationId, databases)
  for (const delivery of journey) {
    const messages = delivery.flatMap((events) => messagesOf(application.applicationId, events.map(toWire)))
    expect((await deliver(messages)).retried).toEqual([])
  }
  return application
}

/** Users as the list shows them, with the wallets that it sorts by; by id. */
async function readUsers({ applicationId, key }: CollectingApplication) {
  const wallets = new Map((await readWallets(applicationId)).map((wallet) => [wallet.telegram_id, wallet]))
  const users = await listStoredUsers(key, { limit: '1000' })
  return users
    .map((user) => ({ ...user, ...wallets.get(user.telegram_id) }))
    .sort((a, b) => a.telegram_id - b.telegram_id)
}

type Read = Record<string, unknown>

/** Where several values would be right, the one that was found, else all of them. */
function settle(anyOf: Readonly<Record<string, unknown[]>>, found: Read | undefined): Read {
  const settled = Object.entries(anyOf).map(([property, values]) => [
    property,
    values.includes(found?.[property]) ? found?.[property] : values,
  ])
  return Object.fromEntries(settled)
}

function expectedUsers(happenings: readonly Happening[], found: readonly Read[]) {
  return tellUsers(happenings).map(({ anyOf, ...user }, place) => ({ ...user, ...settle(anyOf, found[place]) }))
}

it('has the same history of each user, in any order of arrival and with repetitions', async () => {
  await holds(
    fc.asyncProperty(history.chain(garbledJourneyOf), placements(4), async (journey, databases) => {
      noteStates(journey)
      const application = await live(journey, databases)
      const happenings = journey.flat(2)
      const { applicationId } = application
      const users = await readUsers(application)
      expect(users).toEqual(expectedUsers(happenings, users))
      expect(await readSessions(applicationId)).toEqual(tellSessions(happenings))
    }),
    { atLeast: 10, atMost: 120, states },
  )
})

const livedTwice = history.chain((happenings) => fc.tuple(journeyOf(happenings), journeyOf(happenings)))

it('has the same history in any order of arrival, also of events of one instant', async () => {
  const readAll = async (application: CollectingApplication) => ({
    users: await readUsers(application),
    sessions: await readSessions(application.applicationId),
    events: await readEvents(application.applicationId),
  })
  await holds(
    fc.asyncProperty(livedTwice, placements(4), async ([journey, other], databases) => {
      expect(await readAll(await live(journey, [1]))).toEqual(await readAll(await live(other, databases)))
    }),
    { atLeast: 10, atMost: 60 },
  )
})

reachesAll(states)
