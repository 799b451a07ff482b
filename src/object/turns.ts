/** How often somebody who waits looks whether it is their turn, and how many times before a silent one is taken for gone. */
const LOOK_MS = 10
const LOOKS_AT_SILENT = 500

interface Turn {
  /** Counted as long as somebody is there: an object may be ended in the middle of its turn. */
  beats: number
}

/**
 * One piece of work after the other, for all objects of an isolate. No object may settle a promise of another, so each looks for
 * itself whether it is its turn.
 */
export class Turns {
  #turns: Turn[] = []

  /** Runs work when it is its turn. The work calls `beat` at least every few seconds. */
  async run<T>(wait: (milliseconds: number) => Promise<unknown>, work: (beat: () => void) => Promise<T>): Promise<T> {
    const turn: Turn = { beats: 0 }
    const beat = () => {
      turn.beats += 1
    }
    this.#turns.push(turn)
    try {
      let [first, beats, looks] = [turn, 0, 0]
      while (this.#turns[0] !== turn && this.#turns.includes(turn)) {
        const [head] = this.#turns as [Turn]
        looks = head === first && head.beats === beats ? looks + 1 : 0
        ;[first, beats] = [head, head.beats]
        if (looks === LOOKS_AT_SILENT) this.#remove(head)
        beat()
        await wait(LOOK_MS)
      }
      return await work(beat)
    } finally {
      this.#remove(turn)
    }
  }

  #remove(turn: Turn): void {
    this.#turns = this.#turns.filter((other) => other !== turn)
  }
}
