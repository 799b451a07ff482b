import { expect, it } from 'vitest'
import { toParamColumns } from '../../src/columns/param-columns.ts'
import { writeSegment } from '../../src/columns/segment-store.ts'
import { Damaged, Store } from '../../src/columns/store.ts'
import { openSegment, readSmallSegments } from '../../src/columns/stored-segment.ts'
import { createPlainApplication } from '../support/applications.ts'
import { onlyObject, within } from '../support/objects.ts'

/** So many that usual parameters have rows of their own. */
const EVENTS = 3_000

/** One parameter that all have, one of every third event, one of every hundredth, and for every fifth event one of its own. */
function paramsOf(index: number): Record<string, unknown> {
  return {
    ...(index % 3 === 0 && { third: index % 7 }),
    all: `text ${index % 50}`,
    ...(index % 100 === 0 && { hundredth: [index] }),
    ...(index % 5 === 0 && { [`own ${index}`]: index }),
    nothing: null,
  }
}

const all = Array.from({ length: EVENTS }, (_, index) => paramsOf(index))

/** Names in order, with the JSON of each value that there is. */
function expectedAt(index: number): [string, string][] {
  return Object.entries(all[index] ?? {})
    .filter(([, value]) => value !== null)
    .map(([name, value]): [string, string] => [name, JSON.stringify(value)])
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

function expectedCounts(from: number, to: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (let index = from; index < to; index++) {
    for (const [name] of expectedAt(index)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

it('a large segment has all parameters of any of its events, and how many of any range have each', async () => {
  const { applicationId } = await createPlainApplication()
  await within(onlyObject(applicationId), (_, storage) => {
    const store = new Store(storage)
    const chunk = {
      times: Float64Array.from(all, (_, index) => index),
      users: new Uint32Array(EVENTS),
      contexts: new Uint32Array(EVENTS),
      keys: Float64Array.from(all, (_, index) => index),
      params: toParamColumns(all.map((params) => JSON.stringify(params))),
    }
    const entry = writeSegment(store, chunk, { id: 1, nameId: 1, ids: [1] })
    const segment = openSegment(store, entry, `segment of ${applicationId}`)
    for (const indexes of [[], [0], [2_999, 0, 300], all.map((_, index) => index)]) {
      expect(segment.paramsAt(indexes)).toEqual(indexes.map(expectedAt))
    }
    for (const [from, to] of [
      [0, EVENTS],
      [0, EVENTS],
      [1, EVENTS],
      [0, 299],
      [100, 101],
      [7, 7],
    ] as const) {
      expect(new Map(segment.countParams(from, to)), `${from} to ${to}`).toEqual(expectedCounts(from, to))
    }
  })
})

it('many small segments have all parameters, wherever reading begins', async () => {
  const { applicationId } = await createPlainApplication()
  await within(onlyObject(applicationId), (_, storage) => {
    const store = new Store(storage)
    const [times, users] = [new Float64Array(1), new Uint32Array(1)]
    const entries = Array.from({ length: 50 }, (_, id) => {
      const chunk = { times, users, contexts: users, keys: times, params: toParamColumns([`{"id":${id}}`]) }
      return writeSegment(store, chunk, { id, nameId: id, ids: [1] })
    })
    const segments = readSmallSegments(store, entries, ({ id }) => String(id))
    for (const id of [20, 49, 0, 21, 36, 5]) expect(segments.get(id)?.paramsAt([0])).toEqual([[['id', String(id)]]])
  })
})

it('parameters that do not fit into the row of a segment are read, too', async () => {
  const { applicationId } = await createPlainApplication()
  await within(onlyObject(applicationId), (_, storage) => {
    const store = new Store(storage)
    const texts = Array.from({ length: 200 }, (_, index) => `${index} ${'é'.repeat(8_000)}`)
    const chunk = {
      times: Float64Array.from(texts, (_, index) => index),
      users: new Uint32Array(texts.length),
      contexts: new Uint32Array(texts.length),
      keys: Float64Array.from(texts, (_, index) => index),
      params: toParamColumns(texts.map((long) => JSON.stringify({ long }))),
    }
    const entry = writeSegment(store, chunk, { id: 1, nameId: 1, ids: [1] })
    expect(entry.rests).toBeGreaterThan(0)
    const told = () => openSegment(store, entry, crypto.randomUUID()).paramsAt(texts.map((_, index) => index))
    expect(told()).toEqual(texts.map((long) => [['long', JSON.stringify(long)]]))
    store.run('delete from segment_rests')
    expect(told).toThrow(Damaged)
  })
})
