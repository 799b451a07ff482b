import { attempt } from './console.ts'

/**
 * What is kept on the device, under keys that begin with `mauve`. What the browser does not keep (its storage is
 * forbidden or full) is kept in memory, for as long as the page is open.
 */
export interface Kept {
  get(key: string): string | null
  /** Null deletes. */
  set(key: string, text: string | null): void
  /** Those on the device that begin like this. */
  keys(start: string): string[]
}

export function keep(storage: Storage | null): Kept {
  // There may be none: that throws, as a forbidden one does.
  const device = storage as Storage
  const memory = new Map<string, string | null>()
  return {
    get: (key) => memory.get(key) ?? attempt(() => device.getItem(key)),
    set(key, text) {
      memory.delete(key)
      const failed = attempt(() => (text === null ? device.removeItem(key) : device.setItem(key, text)))
      if (failed === null) memory.set(key, text)
    },
    keys: (start) => attempt(() => Object.keys(device).filter((key) => key.startsWith(start))) ?? [],
  }
}
