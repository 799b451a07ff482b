import { expect, it } from 'vitest'
import type { Message } from './faults.ts'
import type { Behavior, Try } from './receiver.ts'
import { type Evidence, judge } from './verdict.ts'

const MINUTE_MS = 60_000

function message(id: string, at: number, more: Partial<Evidence['messages'][number]> = {}): Message & { hook: string } {
  return { id, subscription: 's', hook: 'first', at, status: 'sent', tryAt: null, isOn: 1, ...more }
}

function tryOf(id: string, cameAt: number, sentAt: number, behavior: Behavior = 'takes', hook = 'first'): Try {
  return { hook, id, sentAt, behavior, cameAt, answeredAt: behavior === 'hangs' ? null : cameAt + 1 }
}

const NOTHING: Evidence = { messages: [], tries: [], disturbed: [], dueSince: new Map() }
const ALL_WELL = { lost: [], outOfOrder: [], tooOften: [] }

it('finds nothing wrong with a message that is taken after pauses, or again after the service was killed', () => {
  const messages = [message('a', 1), message('b', 2)]
  const tries = [
    tryOf('a', 10, 0, 'hangs'),
    tryOf('a', 7_000, MINUTE_MS),
    tryOf('a', 22_000, 3 * MINUTE_MS),
    tryOf('b', 23_000, 4 * MINUTE_MS),
  ]
  const disturbed = [{ from: 8_000, to: 9_000 }]
  expect(judge({ ...NOTHING, messages, tries, disturbed, dueSince: new Map([['first', 2]]) })).toEqual(ALL_WELL)
})

it('finds messages that are lost', () => {
  const messages = [message('untaken', 1), message('left', 2, { status: 'waiting', tryAt: 3 })]
  expect(judge({ ...NOTHING, messages, dueSince: new Map([['second', 1]]) }).lost).toHaveLength(3)
})

it('finds messages that come before an earlier one is taken', () => {
  const tries = [tryOf('b', 5, 0), tryOf('a', 10, 0)]
  expect(judge({ ...NOTHING, messages: [message('a', 1), message('b', 2)], tries }).outOfOrder).toHaveLength(1)
})

it('finds messages that come too soon, or again after they were taken, or after a 410', () => {
  const soon = [tryOf('a', 0, 0, 'fails'), tryOf('a', 1, MINUTE_MS / 2)]
  expect(judge({ ...NOTHING, messages: [message('a', 1)], tries: soon }).tooOften).toHaveLength(1)
  const again = [tryOf('a', 0, 0), tryOf('a', 9_000, MINUTE_MS)]
  expect(judge({ ...NOTHING, messages: [message('a', 1)], tries: again }).tooOften).toHaveLength(1)
  const gone = {
    messages: [message('a', 1, { hook: 'gone', status: 'failed' })],
    tries: [tryOf('a', 0, 0, 'gone', 'gone')],
  }
  expect(judge({ ...NOTHING, ...gone }).tooOften).toHaveLength(1)
})
