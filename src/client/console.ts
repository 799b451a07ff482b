const said = new Set<string>()

/** Warns the developer in the console, once per text, and names the documentation. Never throws. */
export function say(what: unknown): undefined {
  attempt(() => {
    const text = `mauve: ${what} (docs/clients.md)`
    if (!said.has(text)) console.warn(text)
    said.add(text)
  })
}

/** Null if it throws. */
export function attempt<T>(run: () => T, failed?: (error: unknown) => void): T | null {
  try {
    return run()
  } catch (error) {
    failed?.(error)
    return null
  }
}

/** Wraps a function so that it never throws. */
export function guarded<A extends unknown[]>(run: (...given: A) => void): (...given: A) => void {
  return (...given) => attempt(() => run(...given), say)
}
