/** Counts rare states, so that tests that rely on chance can say which of them never occurred. */
export class RareStates<State extends string> {
  readonly #times: Map<State, number>

  constructor(declared: readonly State[]) {
    this.#times = new Map(declared.map((state) => [state, 0]))
  }

  /** Counts a state if it occurred. */
  seen(state: State, hasOccurred = true): void {
    if (hasOccurred) this.#times.set(state, (this.#times.get(state) ?? 0) + 1)
  }

  /** Declared states that never occurred. */
  get missing(): State[] {
    return [...this.#times].filter(([, times]) => times === 0).map(([state]) => state)
  }

  get times(): ReadonlyMap<State, number> {
    return this.#times
  }
}
