import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPlainApplication } from '../support/applications.ts'
import { holds } from '../support/cases.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { getDirectly } from '../support/direct-request.ts'
import { settle, stubOf } from '../support/objects.ts'
import { spreadOver } from '../support/placement.ts'

/** An event that is sent now: some milliseconds old, or so old that it is live no more. */
const event = fc.record({
  event_type: fc.constantFrom('a', 'b', 'c', 'd'),
  telegram_id: fc.integer({ min: 1, max: 9 }),
  age: fc.oneof({ weight: 5, arbitrary: fc.nat(3_000) }, fc.constantFrom(20_000, 4_000_000)),
})

/** A delivery, or the part whose object reads what it does not know yet. */
const step = fc.oneof(
  { weight: 2, arbitrary: fc.array(event, { minLength: 1, maxLength: 12 }) },
  fc.integer({ min: 0, max: 3 }),
)

interface Name {
  readonly name: string
  readonly events: number
  readonly users: number
}

it('objects have every live event of every name, however deliveries and runs interleave', async () => {
  const cases = fc.tuple(fc.constantFrom(1, 2, 4), fc.array(step, { minLength: 2, maxLength: 12 }))
  await holds(
    fc.asyncProperty(cases, async ([objects, steps]) => {
      const { applicationId, key } = await createPlainApplication()
      await spreadOver(applicationId, objects)
      // Objects that know nothing yet would read everything, and no changes.
      await settle(applicationId, objects)
      const sent: { readonly event_type: string; readonly telegram_id: number }[] = []
      for (const next of steps) {
        if (typeof next === 'number') {
          const part = { applicationId, objects, part: next % objects }
          await stubOf(part).readChanges(part)
        } else {
          const events = next.map(({ age, ...said }, index) => ({
            ...said,
            datetime: Date.now() - age,
            event_id: `page#${sent.length + index}`,
          }))
          expect((await deliver(messagesOf(applicationId, events))).retried).toEqual([])
          sent.push(...events)
        }
      }
      await settle(applicationId, objects)
      const { data } = await getDirectly<{ data: Name[] }>('/events/names', key)
      const expected = [...Map.groupBy(sent, ({ event_type }) => event_type)].map(([name, own]) => {
        return { name, events: own.length, users: new Set(own.map(({ telegram_id }) => telegram_id)).size }
      })
      expect(data.map(({ name, events, users }) => ({ name, events, users })).toSorted(byName)).toEqual(
        expected.toSorted(byName),
      )
    }),
    { atLeast: 5, atMost: 60 },
  )
})

function byName(a: Name, b: Name): number {
  return a.name < b.name ? -1 : 1
}
