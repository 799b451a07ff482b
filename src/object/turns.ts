/** How often somebody who waits looks whether it is their turn, and how many times before a silent one is taken for gone. */
const LOOK_MS = 10
const LOOKS_AT_SILENT = 500
/** Pieces of work that are under way at a time, each of another caller. */
const AT_ONCE = 2

interface Turn {
  readonly caller: string
  /** Counted as long as somebody is there: an object may be ended in the middle of its turn. */
  beats: number
}

/**
 * Few pieces of work at a time, for all objects of an isolate, and of each caller one after the other: a caller with much work leaves
 * room for others. No object may settle a promise of another, so each looks for itself whether it is its turn.
 */
export class Turns {
  /** Those whose turn it is come first. */
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
      const seen = new Map<Turn, { readonly beats: number; readonly looks: number }>()
      for (let working = this.#working(); !working.includes(turn); working = this.#working()) {
        if (!this.#turns.includes(turn)) break
        for (const other of working) {
          const last = seen.get(other)
          const looks = last?.beats === other.beats ? last.looks + 1 : 0
          seen.set(other, { beats: other.beats, looks })
          if (looks === LOOKS_AT_SILENT) this.#remove(other)
        }
        beat()
        await wait(LOOK_MS)
      }
      return await work(beat)
    } finally {
      this.#remove(turn)
    }
  }

  /** The first turns of the first callers. */
  #working(): Turn[] {
    const callers = [...new Set(this.#turns.map(({ caller }) => caller))].slice(0, AT_ONCE)
    return callers.map((caller) => this.#turns.find((turn) => turn.caller === caller) as Turn)
  }

  /** The caller's other turns are behind those of others. */
  #remove(turn: Turn): void {
    const others = this.#turns.filter((other) => other !== turn)
    const isOwn = ({ caller }: Turn) => caller === turn.caller
    this.#turns = [...others.filter((other) => !isOwn(other)), ...others.filter(isOwn)]
  }
}
