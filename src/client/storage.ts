import { attempt } from './console.ts'

/**
 * Values stored on the device, under keys that begin with `mauve`. If the browser's storage is forbidden or full, they stay in
 * memory while the page is open.
 */
export interface Kept {
  get(key: string): string | null
  /** Null deletes. */
  set(key: string, text: string | null): void
  /** The keys on the device with this prefix. */
  keys(start: string): string[]
}

export function keep(storage: Storage | null): Kept {
  // Without one, its use throws, as with a forbidden one.
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
