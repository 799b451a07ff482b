/** What one isolate keeps of the leaves that questions read lately, of all its objects together. */
const MAX_BYTES = 48_000_000
/** About what a key and the objects around a value take: of many small leaves, and of days without events, that is most. */
const ENTRY_BYTES = 1_000

interface Kept {
  readonly value: unknown
  readonly bytes: number
}

/** In order of their last use. */
const kept = new Map<string, Kept>()
let bytesKept = 0

/** Reads through the memory of the isolate. A value is never to be changed. */
export function remembered<T>(key: string, read: () => T, bytesOf: (value: T) => number): T {
  const known = recall<T>(key)
  if (known !== undefined) return known
  const value = read()
  remember(key, value, bytesOf(value))
  return value
}

/** What is remembered under a key. */
export function recall<T>(key: string): T | undefined {
  const known = kept.get(key)
  if (!known) return undefined
  kept.delete(key)
  kept.set(key, known)
  return known.value as T
}

export function isRemembered(key: string): boolean {
  return kept.has(key)
}

/** Something that was not remembered yet. */
export function remember(key: string, value: unknown, bytes: number): void {
  kept.set(key, { value, bytes: bytes + ENTRY_BYTES })
  bytesKept += bytes + ENTRY_BYTES
  forgetOldest()
}

function forgetOldest(): void {
  for (const [key, { bytes }] of kept) {
    if (bytesKept <= MAX_BYTES) return
    kept.delete(key)
    bytesKept -= bytes
  }
}

let owners = 0

/** A prefix for keys that nobody else has. */
export function newOwner(): string {
  owners += 1
  return String(owners)
}
