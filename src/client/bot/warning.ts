/** Problems that may recur. */
type Trouble = 'configuration' | 'unreachable' | 'refused' | 'overflow' | 'params' | 'unreadable' | 'user'

export type Warn = (trouble: Trouble, sentence: string) => void

/** Anything thrown, as text, with its cause. */
export function reasonOf(thrown: unknown): string {
  try {
    const { cause } = (thrown ?? {}) as { cause?: unknown }
    return cause ? `${String(thrown)}: ${String(cause)}` : String(thrown)
  } catch {
    return 'something was thrown that is no text'
  }
}

/** Warns about each problem once, so that an unavailable service does not fill a bot's log. */
export function createWarning(): Warn {
  const said = new Set<Trouble>()
  return (trouble, sentence) => {
    if (said.has(trouble)) return
    said.add(trouble)
    console.warn(`Mauve: ${sentence}`)
  }
}
