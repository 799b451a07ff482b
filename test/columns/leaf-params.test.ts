import { expect, it } from 'vitest'
import { writeLeaf } from '../../src/columns/leaf-store.ts'
import { toParamColumns } from '../../src/columns/param-columns.ts'
import { Store } from '../../src/columns/store.ts'
import { StoredLeaf } from '../../src/columns/stored-leaf.ts'
import { createPlainApplication } from '../support/applications.ts'
import { onlyObject, within } from '../support/objects.ts'

/** So many that usual parameters have rows of their own. */
const EVENTS = 3_000

/** One parameter that all have, one of every third event, one of every hundredth, and for every fifth event one of its own. */
function paramsOf(place: number): Record<string, unknown> {
  return {
    ...(place % 3 === 0 && { third: place % 7 }),
    all: `text ${place % 50}`,
    ...(place % 100 === 0 && { hundredth: [place] }),
    ...(place % 5 === 0 && { [`own ${place}`]: place }),
    nothing: null,
  }
}

const all = Array.from({ length: EVENTS }, (_, place) => paramsOf(place))

/** Names in order, with the JSON of each value that there is. */
function expectedAt(place: number): [string, string][] {
  return Object.entries(all[place] ?? {})
    .filter(([, value]) => value !== null)
    .map(([name, value]): [string, string] => [name, JSON.stringify(value)])
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

function expectedCounts(from: number, to: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (let place = from; place < to; place++) {
    for (const [name] of expectedAt(place)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

it('a large leaf tells all parameters of any of its events, and how many of any stretch have each', async () => {
  const { applicationId } = await createPlainApplication()
  await within(onlyObject(applicationId), (_, storage) => {
    const store = new Store(storage)
    const block = {
      times: Float64Array.from(all, (_, place) => place),
      users: new Uint32Array(EVENTS),
      contexts: new Uint32Array(EVENTS),
      keys: Float64Array.from(all, (_, place) => place),
      params: toParamColumns(all.map((params) => JSON.stringify(params))),
    }
    const entry = writeLeaf(store, block, { id: 1, nameId: 1, ids: [1] })
    const leaf = new StoredLeaf(store, entry, `leaf of ${applicationId}`)
    for (const places of [[], [0], [2_999, 0, 300], all.map((_, place) => place)]) {
      expect(leaf.paramsAt(places)).toEqual(places.map(expectedAt))
    }
    for (const [from, to] of [
      [0, EVENTS],
      [0, EVENTS],
      [1, EVENTS],
      [0, 299],
      [100, 101],
      [7, 7],
    ] as const) {
      expect(new Map(leaf.countParams(from, to)), `${from} to ${to}`).toEqual(expectedCounts(from, to))
    }
  })
})
