import { ByteCache } from '../storage/memory.ts'

/** The segments, and what was derived from them, that questions to any object in this isolate have read recently. */
export const segmentCache = new ByteCache(48_000_000)

/** An array in that cache, read if it is not there. Must not be changed. */
export function cachedArray<A extends { readonly byteLength: number }>(key: string, read: () => A): A {
  return segmentCache.getOrAdd(key, read, ({ byteLength }) => byteLength)
}

let owners = 0

/** A unique prefix for keys. */
export function newOwner(): string {
  owners += 1
  return String(owners)
}
