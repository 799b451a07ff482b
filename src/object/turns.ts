/** How often somebody who waits looks whether it is their turn, and how many times before a silent one is taken for gone. */
const LOOK_MS = 10
const LOOKS_AT_SILENT = 500

interface Turn {
  readonly caller: string
  /** Counted as long as somebody is there: an object may be ended in the middle of its turn. */
  beats: number
}

/**
 * One piece of work after the other, for all objects of an isolate, and the callers in rotation: a caller with much work leaves room
 * for others. No object may settle a promise of another, so each looks for itself whether it is its turn.
 */
export class Turns {
  /** The one whose turn it is comes first. */
  #turns: Turn[] = []

  /** Runs work when it is its turn. The work calls `beat` at least every few seconds. */
  async run<T>(
    caller: string,
    wait: (milliseconds: number) => Promise<unknown>,
    work: (beat: () => void) => Promise<T>,
  ): Promise<T> {
    const turn: Turn = { caller, beats: 0 }
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

  /** The caller's other turns are behind those of others. */
  #remove(turn: Turn): void {
    const others = this.#turns.filter((other) => other !== turn)
    const isOwn = ({ caller }: Turn) => caller === turn.caller
    this.#turns = [...others.filter((other) => !isOwn(other)), ...others.filter(isOwn)]
  }
}
