import { expect, it } from 'vitest'
import { ByteCache, EntryCache } from '../../src/storage/memory.ts'

it('a cache bounded by entries drops the one that was set first', () => {
  const cache = new EntryCache<number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.set('a', 3)
  expect(cache.getOrSet('a', () => 0)).toBe(3)
  expect(cache.getOrSet('c', (key) => key.length)).toBe(1)
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([3, undefined, 1])
})

it('a cache bounded by bytes drops the least recently used entries, even those without bytes', () => {
  const cache = new ByteCache(50_000)
  let reads = 0
  const read = (key: number, bytes = 0) =>
    cache.getOrAdd(
      String(key),
      () => (reads += 1),
      () => bytes,
    )
  for (const key of [0, 0, 1]) read(key, 20_000)
  expect(reads).toBe(2)
  read(0)
  read(2, 20_000)
  expect(['0', '1', '2'].map((key) => cache.has(key))).toEqual([true, false, true])
  for (let key = 3; key < 60; key += 1) read(key)
  expect(cache.has('2')).toBe(false)
  expect(cache.has('59')).toBe(true)
})

it('a cache bounded by bytes counts an entry that grows once', () => {
  const cache = new ByteCache(50_000)
  for (let bytes = 0; bytes < 30_000; bytes += 1_000) cache.set('grows', bytes, bytes)
  cache.add('other', 'other', 10_000)
  expect([cache.get('grows'), cache.get('other')]).toEqual([29_000, 'other'])
  cache.set('grows', 40_000, 40_000)
  expect([cache.has('grows'), cache.has('other')]).toEqual([true, false])
})

it('a cache bounded by bytes holds some of the entries that are used in turn and do not fit together', () => {
  const cache = new ByteCache(1_000_000)
  const keys = Array.from({ length: 20 }, (_, index) => String(index))
  let reads = 0
  const use = (key: string) =>
    cache.getOrAdd(
      key,
      () => (reads += 1),
      () => 99_000,
    )
  for (let round = 0; round < 5; round += 1) for (const key of keys) use(key)
  const before = reads
  for (const key of keys) use(key)
  expect(reads - before).toBeLessThan(keys.length * 0.8)
  // What passes through is there while it is used, and what is used from now on stays.
  expect(keys.filter((key) => cache.has(key)).length).toBeLessThanOrEqual(10)
  for (let round = 0; round < 20; round += 1) for (const key of ['17', '18', '19']) use(key)
  const after = reads
  for (const key of ['17', '18', '19']) use(key)
  expect(reads).toBe(after)
})
