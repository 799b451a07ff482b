import { START_OF_SESSION } from '../engine/event-name.ts'
import type { PathTransition } from './contract.ts'
import type { Targets } from './query.ts'

/** Numbers each step's transitions, source by source: its targets, all others together, the session's end. */
export interface PathCells {
  readonly count: number
  /** Per step: the number of its first cell, and how many cells each of its sources has. */
  readonly firsts: Uint32Array
  readonly widths: Uint32Array
  nameOf(cell: number, event: string | null): Pick<PathTransition, 'step' | 'from' | 'to'>
}

/** Numbers cells. The sources of a step are the targets of the step before, and all others together. */
export function cellsOf(targets: Targets): PathCells {
  const widths = Uint32Array.from(targets, ({ length }) => length + 2)
  const firsts = new Uint32Array(targets.length)
  let count = 0
  for (const [step, width] of widths.entries()) {
    firsts[step] = count
    count += width * (step === 0 ? 1 : (widths[step - 1] as number) - 1)
  }
  function nameAt(step: number, index: number): string {
    const names = targets[step] as readonly string[]
    return index > names.length ? '(end)' : (names[index] ?? '(other)')
  }
  return {
    count,
    firsts,
    widths,
    nameOf(cell, event) {
      const step = firsts.findLastIndex((first) => first <= cell)
      const [offset, width] = [cell - (firsts[step] as number), widths[step] as number]
      return {
        step: step + 1,
        from: step === 0 ? (event ?? START_OF_SESSION) : nameAt(step - 1, Math.floor(offset / width)),
        to: nameAt(step, offset % width),
      }
    },
  }
}
