const said = new Set<string>()

/** Says in the console what a developer should know and where to read on, each thing once: an error of ours never breaks a page. */
export function say(what: unknown): undefined {
  attempt(() => {
    const text = `mauve: ${what} (docs/clients.md)`
    if (!said.has(text)) console.warn(text)
    said.add(text)
  })
}

/** Null where it throws. */
export function attempt<T>(run: () => T, failed?: (error: unknown) => void): T | null {
  try {
    return run()
  } catch (error) {
    failed?.(error)
    return null
  }
}

/** The function, never throwing. */
export function guarded<A extends unknown[]>(run: (...given: A) => void): (...given: A) => void {
  return (...given) => attempt(() => run(...given), say)
}
