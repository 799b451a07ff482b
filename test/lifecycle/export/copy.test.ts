import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readSessions, readWallets } from '../../support/activity.ts'
import { createPlainApplication, type PlainApplication } from '../../support/applications.ts'
import { holds } from '../../support/cases.ts'
import { getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { exportLines, importText } from '../../support/exports.ts'
import { history, toWire } from '../../support/made-up-history.ts'
import { spreadOver } from '../../support/placement.ts'
import type { Happening } from '../../support/user-history.ts'

async function live(happenings: readonly Happening[], databases: readonly number[]): Promise<PlainApplication> {
  const application = await createPlainApplication()
  await spreadOver(application.applicationId, databases.length, databases)
  await deliver(messagesOf(application.applicationId, happenings.map(toWire)))
  return application
}

async function exportAll({ key }: PlainApplication) {
  const [events, users] = await Promise.all(['/export/events', '/export/users'].map((path) => exportLines(path, key)))
  return { events: events ?? [], users: users ?? [] }
}

/** A fresh application that these lines were sent to, cut at the given places, in this order. */
async function copy(lines: readonly string[], cuts: readonly number[], databases: readonly number[]) {
  const application = await createPlainApplication()
  await spreadOver(application.applicationId, databases.length, databases)
  const places = [0, ...cuts.map((cut) => cut % (lines.length + 1)).sort((a, b) => a - b), lines.length]
  for (const [index, from] of places.slice(0, -1).entries()) {
    const some = lines.slice(from, places[index + 1])
    const { refused, stored, known } = await importText(some.join('\n'), application.key)
    expect({ refused, lines: stored + known }).toEqual({ refused: [], lines: some.length })
  }
  return application
}

const USERS = [1, 2, 7_234_567_890, 2 ** 53 - 1]

const QUESTIONS = [
  '/users/segmentation?limit=1000&sort_by=curr_volume',
  '/users/segmentation/aggregated?aggregation_param=country',
  '/users/activity',
  '/retention?group_by=is_premium',
  '/sessions/average',
  '/sessions/length?filters=[{"prop":"country","op":"is","values":["DE","Germany"]}]',
  '/funnels?events=Session%20start&events=purchase&group_by=language',
  '/events/segmentation?event=Wallet&group_by=params.provider',
  '/events/segmentation?event=_active&group_by=start_parameter&mode=uniques',
  '/events/paths?event=purchase',
  '/events/names',
  '/events/latest?limit=50',
  '/properties',
  '/properties/language/values',
  ...USERS.flatMap((user) => [`/users/${user}`, `/users/${user}/events`]),
]

async function askAll({ key, applicationId }: PlainApplication) {
  const answers: Record<string, unknown> = {}
  for (const question of QUESTIONS) {
    const response = await getJson(question, key)
    expect([200, 404], `${question}: ${await response.clone().text()}`).toContain(response.status)
    answers[question] = await response.json()
  }
  return { answers, wallets: await readWallets(applicationId), sessions: await readSessions(applicationId) }
}

const cuts = fc.array(fc.nat(60), { maxLength: 3 })

it('a copy answers every question as the original, in whatever order its lines come and however often', async () => {
  const case_ = history.chain((happenings) =>
    fc.tuple(fc.constant(happenings), fc.infiniteStream(fc.nat()), cuts, fc.boolean()),
  )
  await holds(
    fc.asyncProperty(case_, async ([happenings, order, places, isTwice]) => {
      const original = await live(happenings, [1])
      const { events, users } = await exportAll(original)
      const lines = [...events, ...users].map((line) => ({ line, at: order.next().value ?? 0 }))
      const shuffled = lines.sort((a, b) => a.at - b.at).map(({ line }) => line)
      const copied = await copy(isTwice ? [...shuffled, ...shuffled] : shuffled, places, [1])
      expect(await askAll(copied)).toEqual(await askAll(original))
    }),
    { atLeast: 2, atMost: 20, endOnFailure: true },
  )
})

it('a copy exports the same, over however many databases the users of either are spread', async () => {
  const placement = fc.constantFrom([1], [2], [1, 2], [3, 2, 1, 2])
  await holds(
    fc.asyncProperty(history, placement, placement, cuts, async (happenings, from, to, places) => {
      const original = await live(happenings, from)
      const { events, users } = await exportAll(original)
      expect(events.length).toBeGreaterThan(0)
      const times = events.map((line) => JSON.parse(line).time)
      expect(times).toEqual(times.toSorted())
      expect(await exportAll(await copy([...users, ...events], places, to))).toEqual({ events, users })
    }),
    { atLeast: 4, atMost: 60, endOnFailure: true },
  )
})
