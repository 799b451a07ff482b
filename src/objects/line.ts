/** So many may wait; whoever comes then is sent away at once. */
const MOST_WAITING = 32

/** One after the other, in the order in which they came: questions, and changes of what they look at. */
export class Line {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  get isFull(): boolean {
    return this.#waiting >= MOST_WAITING
  }

  /** Runs something once everybody before is done. Fails only if it fails itself. */
  async take<T>(work: () => T | Promise<T>): Promise<T> {
    this.#waiting += 1
    const turn = this.#last.then(work).finally(() => {
      this.#waiting -= 1
    })
    this.#last = turn.catch(() => {})
    return turn
  }
}
