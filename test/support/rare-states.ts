/** Notes rare states, so that tests that rely on chance can say which of them never occurred. */
export class RareStates<State extends string> {
  readonly #missing: Set<State>

  constructor(declared: readonly State[]) {
    this.#missing = new Set(declared)
  }

  /** Notes a state if it occurred. */
  seen(state: State, hasOccurred = true): void {
    if (hasOccurred) this.#missing.delete(state)
  }

  /** Declared states that never occurred. */
  get missing(): State[] {
    return [...this.#missing]
  }
}
