import { type AcquisitionQuestion, type NewUser, rowOf } from './acquisition-oracle.ts'
import type { SentEvent } from './event-history.ts'
import { compareEvents, noteHistory, readProperty } from './filter-oracle.ts'
import { isIn } from './series-oracle.ts'

/** Referrals as docs/rules.md (30) has them, looked up user by user. Shares no code with the service. */

export interface ReferralQuestion extends Omit<AcquisitionQuestion, 'by' | 'filters' | 'limit' | 'offset'> {
  /** When it is asked: milliseconds since 1970 UTC. */
  readonly now: number
}

interface Person extends NewUser {
  readonly id: number
  readonly first: SentEvent
  readonly named: number | null
}

const MONTH_MS = 30 * 86_400_000

function readPeople(history: readonly SentEvent[]) {
  noteHistory(history)
  const people = new Map<number, Person>()
  for (const [id, own] of Map.groupBy(history, ({ telegram_id }) => telegram_id)) {
    const events = own.toSorted(compareEvents)
    const first = events[0] as SentEvent
    const referrer = readProperty(first, 'referrer')
    const named = typeof referrer === 'string' && /^[1-9][0-9]*$/.test(referrer) ? Number(referrer) : null
    people.set(id, { id, name: '', events, first, named })
  }
  const namedBy = (person: Person) => (person.named === null ? undefined : people.get(person.named))
  const mayBe = (person: Person) => {
    const other = namedBy(person)
    return other && other !== person && other.first.datetime <= person.first.datetime ? other : undefined
  }
  const isInLoop = (person: Person) => {
    const seen = new Set<Person>()
    for (let at = mayBe(person); at && !seen.has(at); at = mayBe(at)) seen.add(at)
    return seen.has(person)
  }
  const inviterOf = (person: Person) => (isInLoop(person) ? undefined : mayBe(person))
  const stepsOf = (person: Person): number => {
    const inviter = inviterOf(person)
    return inviter ? stepsOf(inviter) + 1 : 0
  }
  return { people: [...people.values()], find: (id: number) => people.get(id), namedBy, inviterOf, stepsOf }
}

export function answerReferrals(history: readonly SentEvent[], question: ReferralQuestion) {
  const { people, namedBy, inviterOf, stepsOf } = readPeople(history)
  const isNew = (person: Person) => isIn(person.first.datetime, question)
  const newUsers = people.filter(isNew)
  const invited = newUsers.filter(inviterOf)
  const soon = people.filter((person) => {
    const inviter = inviterOf(person)
    return inviter && isNew(inviter) && person.first.datetime - inviter.first.datetime <= MONTH_MS
  })
  const generations: number[] = []
  for (const person of invited) {
    const steps = stepsOf(person)
    while (generations.length < steps) generations.push(0)
    generations[steps - 1] = (generations[steps - 1] as number) + 1
  }
  const top = [...Map.groupBy(invited, (person) => (inviterOf(person) as Person).id)].sort(
    ([a, own], [b, others]) => others.length - own.length || a - b,
  )
  return {
    invited: invited.length,
    new_users: newUsers.length,
    share: newUsers.length === 0 ? null : (invited.length / newUsers.length) * 100,
    k_factor: newUsers.length === 0 ? null : soon.length / newUsers.length,
    k_complete: newUsers.every(({ first }) => first.datetime + MONTH_MS < question.now),
    generations,
    ignored: newUsers.filter((person) => namedBy(person) && !inviterOf(person)).length,
    top: top.slice(0, 100).map(([id, own]) => {
      const { users, activated, d7, payers, net } = rowOf('', own, { ...question, filters: [] })
      return { telegram_id: id, invited: users, activated, d7, payers, net }
    }),
  }
}

/** Null for somebody without events. */
export function answerUserReferrals(history: readonly SentEvent[], id: number) {
  const { people, find, inviterOf } = readPeople(history)
  const person = find(id)
  if (!person) return null
  const invited = people
    .filter((other) => inviterOf(other) === person)
    .map(({ id: telegramId, first }) => ({ telegramId, time: first.datetime }))
    .sort((a, b) => b.time - a.time || a.telegramId - b.telegramId)
  return { invitedBy: inviterOf(person)?.id ?? null, invited, total: invited.length }
}
