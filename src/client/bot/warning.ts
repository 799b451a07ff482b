/** What may go wrong again and again. */
type Trouble = 'configuration' | 'unreachable' | 'refused' | 'overflow' | 'params' | 'unreadable' | 'user'

export type Warn = (trouble: Trouble, sentence: string) => void

/** What was thrown, as text, with what lies behind it. It may be anything, even what cannot become text. */
export function reasonOf(thrown: unknown): string {
  try {
    const { cause } = (thrown ?? {}) as { cause?: unknown }
    return cause ? `${String(thrown)}: ${String(cause)}` : String(thrown)
  } catch {
    return 'something was thrown that is no text'
  }
}

/** Each trouble is said once: a bot that works is not to fill its log because the service does not. */
export function createWarning(): Warn {
  const said = new Set<Trouble>()
  return (trouble, sentence) => {
    if (said.has(trouble)) return
    said.add(trouble)
    console.warn(`Mauve: ${sentence}`)
  }
}
