import fc from 'fast-check'
import { expect, it } from 'vitest'
import { askForReferrals, askForUserReferrals } from '../../../src/questions/referrals/referrals.ts'
import { DAY_MS, type MadeHistory, type SentEvent } from '../../support/event-history.ts'
import { DEFAULT_RULES, toQueryRules } from '../../support/made-up-payments.ts'
import { type Asked, askedHistories } from '../../support/made-up-questions.ts'
import { madeReferrals, noneGone } from '../../support/made-up-referrals.ts'
import { answersAsOracle, type Objects, objectsOf } from '../../support/parts.ts'
import { answerReferrals, answerUserReferrals, type ReferralQuestion } from '../../support/referral-oracle.ts'
import { dayIn } from '../../support/zones.ts'

function questionOf({ events }: MadeHistory): fc.Arbitrary<Asked<ReferralQuestion>> {
  return fc
    .record({
      day: fc.constantFrom(...events.map(({ datetime }) => dayIn(datetime))),
      length: fc.constantFrom(1, 2, 20, 60),
      before: fc.nat(3),
      now: fc.constantFrom(...events.map(({ datetime }) => datetime)).map((time) => time + 30 * DAY_MS),
      later: fc.constantFrom(-1, 0, 1, 20 * DAY_MS),
      activation: fc.option(fc.constantFrom('Order', '_active')),
      currency: fc.constantFrom('XTR', 'TON'),
    })
    .map(({ day, length, before, now, later, ...asked }) => {
      const question = { ...asked, now: now + later, today: dayIn(now + later), rules: DEFAULT_RULES }
      return { question: { ...question, from: day - before, to: day - before + length - 1 }, path: '/referrals' }
    })
}

/** So little that every inviter takes a pass of their own. */
const LITTLE = { referrers: 1, known: 2 }

function ask(objects: Objects, question: ReferralQuestion, room?: typeof LITTLE) {
  const { activation, rules, currency, ...asked } = question
  const wire = toQueryRules(rules)
  const query = {
    ...asked,
    activation: activation === null ? null : { event: activation === '_active' ? null : activation },
    charges: { rules: wire, currency },
  }
  return askForReferrals(query, { ...objects, findGone: noneGone }, room)
}

answersAsOracle({
  cases: askedHistories(madeReferrals, questionOf, 6),
  answer: async (objects, { question }) => {
    const answer = await ask(objects, question)
    expect(await ask(objects, question, LITTLE)).toEqual(answer)
    return answer
  },
  expected: answerReferrals,
  states: ['a loop of invitations', 'a user who invites themselves', 'an inviter who came later'],
})

answersAsOracle({
  cases: askedHistories(
    madeReferrals,
    () => fc.integer({ min: 1, max: 10 }).map((question) => ({ question, path: '' })),
    6,
  ),
  answer: async (objects, { question: telegramId }) => {
    const answer = await askForUserReferrals({ telegramId, limit: 100, offset: 0 }, { ...objects, findGone: noneGone })
    const page = await askForUserReferrals({ telegramId, limit: 1, offset: 1 }, { ...objects, findGone: noneGone })
    expect(page?.invited).toEqual(answer?.invited.slice(1, 2))
    return answer
  },
  expected: answerUserReferrals,
})

const START = Date.parse('2026-03-01')

/** A chain of users, each of whom names the next; the last one names the first, or nobody. */
function chainOf(length: number, { isLoop }: { isLoop: boolean }): SentEvent[] {
  return Array.from({ length }, (_, index) => ({
    event_id: `event ${index}`,
    event_type: 'visit',
    telegram_id: index + 1,
    datetime: START + (isLoop ? 0 : index),
    start_parameter: isLoop || index > 0 ? `r.${index === 0 ? length : index}` : 'r',
  }))
}

async function askAbout(events: readonly SentEvent[], objects: number) {
  const day = dayIn(START)
  const query = {
    from: day,
    to: day,
    now: START,
    today: day,
    activation: null,
    charges: { rules: [], currency: 'XTR' },
  }
  return askForReferrals(query, { ...objectsOf(events, objects), findGone: noneGone })
}

it.each([1, 2, 4])('counts users beyond a hundred generations in the last one: %i objects', async (objects) => {
  const { generations, invited } = await askAbout(chainOf(240, { isLoop: false }), objects)
  expect(invited).toBe(239)
  expect(generations).toEqual(Array.from({ length: 100 }, (_, index) => (index < 99 ? 1 : 140)))
})

it.each([1, 2, 4])('recognises loops of up to a hundred users: %i objects', async (objects) => {
  expect(await askAbout(chainOf(100, { isLoop: true }), objects)).toMatchObject({ invited: 0, ignored: 100, top: [] })
  const beyond = await askAbout(chainOf(101, { isLoop: true }), objects)
  expect(beyond).toMatchObject({ invited: 101, ignored: 0 })
  expect(beyond.generations.at(-1)).toBe(101)
})
