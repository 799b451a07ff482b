import type { Message } from './faults.ts'
import type { Try } from './receiver.ts'

/** What a run of webhooks left. */
export interface Evidence {
  /** In the order of their moments. */
  readonly messages: readonly (Message & { readonly hook: string })[]
  /** In the order in which they came. */
  readonly tries: readonly Try[]
  /** From when to when the service was disturbed, by the clock of the run. */
  readonly disturbed: readonly { readonly from: number; readonly to: number }[]
  /** For each webhook, since when there must be a message: by the service's clock. */
  readonly dueSince: ReadonlyMap<string, number>
}

/** What docs/rules.md promises and was not so, as sentences; none if all is well. */
export interface Verdict {
  readonly lost: readonly string[]
  readonly outOfOrder: readonly string[]
  readonly tooOften: readonly string[]
}

const MINUTE_MS = 60_000
/** From one try to the next, as docs/notifications.md has them. One that was interrupted comes again after five minutes. */
const PAUSES_MINUTES = [1, 2, 5]
/** Times of signatures are whole seconds. */
const SECOND_MS = 1_000
/** What was answered is stored by then, unless the service is disturbed. */
const STORED_WITHIN_MS = 5_000

/** At least once, in their order, and no more often than documented. */
export function judge(evidence: Evidence): Verdict {
  const triesOf = Map.groupBy(evidence.tries, ({ id }) => id)
  return {
    lost: [...unsent(evidence, triesOf), ...undue(evidence)],
    outOfOrder: outOfOrder(evidence, triesOf),
    tooOften: [...tooSoon(triesOf), ...repeated(evidence, triesOf), ...notStopped(evidence)],
  }
}

type Tries = ReadonlyMap<string, readonly Try[]>

function isTaken({ behavior, answeredAt }: Try): boolean {
  return answeredAt !== null && (behavior === 'takes' || behavior === 'takes slowly')
}

/** Answered, so that it is not to come again. */
function isSettled(one: Try): boolean {
  return isTaken(one) || (one.behavior === 'gone' && one.answeredAt !== null)
}

/** Messages that no webhook took. */
function unsent({ messages }: Evidence, triesOf: Tries): string[] {
  return messages.flatMap(({ id, hook, status, tryAt }) => {
    const isDone = hook.startsWith('gone') ? status === 'failed' : status === 'sent' && triesOf.get(id)?.some(isTaken)
    return isDone && tryAt === null ? [] : [`${hook} ${id} is ${status}`]
  })
}

/** Digests that were due and have no message. */
function undue({ messages, dueSince }: Evidence): string[] {
  const isThere = ([hook, since]: readonly [string, number]) =>
    messages.some((message) => message.hook === hook && message.at >= since)
  return [...dueSince].filter((due) => !isThere(due)).map(([hook]) => `${hook} was due and has no message`)
}

/** Messages that came before an earlier one of the same webhook was settled. */
function outOfOrder({ messages }: Evidence, triesOf: Tries): string[] {
  const settledAt = (id: string) => triesOf.get(id)?.find(isSettled)?.answeredAt ?? Number.POSITIVE_INFINITY
  const cameAt = (id: string) => triesOf.get(id)?.[0]?.cameAt ?? Number.POSITIVE_INFINITY
  return messages.flatMap(({ id, hook }, place) => {
    const earlier = messages.slice(0, place).filter((one) => one.hook === hook)
    return earlier.filter((one) => settledAt(one.id) > cameAt(id)).map((one) => `${hook} ${id} came before ${one.id}`)
  })
}

function tooSoon(triesOf: Tries): string[] {
  return [...triesOf].flatMap(([id, tries]) =>
    tries.slice(1).flatMap(({ sentAt, hook }, place) => {
      const pause = (PAUSES_MINUTES[place] ?? PAUSES_MINUTES.at(-1) ?? 0) * MINUTE_MS
      const waited = sentAt - (tries[place] as Try).sentAt
      return waited < pause - SECOND_MS ? [`${hook} ${id} came again after ${waited} ms`] : []
    }),
  )
}

/** Messages that came again although they were settled and nothing kept the service from storing that. */
function repeated({ disturbed }: Evidence, triesOf: Tries): string[] {
  return [...triesOf].flatMap(([id, tries]) =>
    tries.slice(1).flatMap(({ hook }, place) => {
      const before = tries[place] as Try
      return isSettled(before) && !isDisturbed(before, disturbed) ? [`${hook} ${id} came again after it was taken`] : []
    }),
  )
}

function isDisturbed({ cameAt, answeredAt }: Try, disturbed: Evidence['disturbed']): boolean {
  const until = (answeredAt ?? cameAt) + STORED_WITHIN_MS
  return disturbed.some(({ from, to }) => from < until && to > cameAt)
}

/** Webhooks that asked to stop and are still on. */
function notStopped({ messages, tries }: Evidence): string[] {
  const stopped = new Set(
    tries.filter(({ behavior, answeredAt }) => behavior === 'gone' && answeredAt !== null).map(({ hook }) => hook),
  )
  return messages
    .filter(({ hook, isOn }) => stopped.has(hook) && isOn)
    .map(({ hook }) => `${hook} is still on after a 410`)
}
