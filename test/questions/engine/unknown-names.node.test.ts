import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nearestOf } from '../../../src/base/text/nearest.ts'
import { parseProperty } from '../../../src/columns/selection/filter.ts'
import { findUnknownNames, unknownToAll } from '../../../src/questions/engine/unknown-names.ts'
import { holds } from '../../support/cases.ts'
import { columnsOf } from '../../support/columns.ts'
import { madeHistory } from '../../support/event-history.ts'
import { readProperty, textOf } from '../../support/filter-oracle.ts'
import { runToEnd } from '../../support/parts.ts'

const TYPED = ['ordr', 'vew', 'CART', 'nothing of it', 'a_b', 'Заказы']
const PROPERTIES = ['city', 'brand', 'first.model', 'verified', 'params.plan', 'params.plna', 'params.a', 'params.']

it.each([1, 2, 4])('finds the names that no event of %i objects has', async (objects) => {
  await holds(
    fc.property(madeHistory, ({ events, names, paramNames }) => {
      const properties = [...PROPERTIES, ...paramNames.map((name) => `params.${name}`)]
      const asked = [...new Set([...names, ...TYPED])]
      const replies = Array.from({ length: objects }, (_, part) => {
        const own = events.filter(({ telegram_id: id }) => id % objects === part)
        const parsed = properties.map((name) => parseProperty(name) as NonNullable<ReturnType<typeof parseProperty>>)
        return runToEnd(findUnknownNames(columnsOf(own), { events: asked, properties: parsed }))
      })
      const occurring = [...new Set(events.map(({ event_type }) => event_type))]
      const params = [
        ...new Set(
          events.flatMap((event) => Object.keys(event.params ?? {}).filter((name) => has(event, `params.${name}`))),
        ),
      ]
      const found = unknownToAll(replies)
      expect(found.events).toEqual(
        asked
          .filter((name) => !occurring.includes(name))
          .map((name) => ({ name, nearest: nearestOf(name, occurring) })),
      )
      const unknown = [...new Set(properties)].filter((name) => !events.some((event) => has(event, name)))
      const nearestParam = (name: string) => {
        const nearest = name.startsWith('params.') ? nearestOf(name.slice(7), params) : null
        return nearest === null ? null : `params.${nearest}`
      }
      expect(new Map(found.properties.map(({ name, nearest }) => [name, nearest]))).toEqual(
        new Map(unknown.map((name) => [name, nearestParam(name)])),
      )
    }),
    { atLeast: 20, atMost: 500 },
  )

  function has(event: Parameters<typeof readProperty>[0], name: string): boolean {
    return textOf(readProperty(event, name.replace('first.', ''))) !== null
  }
})

it('compares each name once, and few between two yields', () => {
  const params = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`a${10_000 + index}`, 1]))
  const events = Array.from({ length: 60 }, (_, index) => ({
    event_id: `event ${index}`,
    event_type: `Event ${index % 20}`,
    telegram_id: index + 1,
    datetime: index,
    params,
  }))
  const properties = Array.from({ length: 60 }, (_, index) => ({ of: 'params', name: `z${90_000 + index}` }) as const)
  const stepsOf = (some: typeof events) => {
    const steps = findUnknownNames(columnsOf(some), { events: [], properties })
    let taken = 0
    while (!steps.next().done) taken += 1
    return taken
  }
  const comparisons = 1_000 * properties.length
  expect(stepsOf(events.slice(0, 3))).toBeGreaterThan(comparisons / 1_024)
  expect(stepsOf(events)).toBeLessThan((comparisons / 1_024) * 3)
})
