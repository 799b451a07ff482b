import { grown } from './grown.ts'

/** Milliseconds. */
export type Gaps = Float64Array | Uint32Array

/** How far each user got who entered in a period: nobody twice, in no order that matters. */
export class Ways {
  length = 0
  /** From 1. */
  furthest = new Uint8Array()
  /** The ordinal of the group; 0 where nothing is grouped. */
  groups = new Uint32Array()
  /** How long each step took from the one before: by step, less 2. Of no step where it is not asked. */
  readonly gaps: Gaps[]
  readonly bytesPerUser: number

  constructor(gaps: { readonly steps: number; readonly longest: number }) {
    const GapArray = gaps.longest < 2 ** 32 ? Uint32Array : Float64Array
    this.gaps = Array.from({ length: gaps.steps }, () => new GapArray())
    this.bytesPerUser = 5 + gaps.steps * GapArray.BYTES_PER_ELEMENT
  }

  get bytes(): number {
    return this.furthest.length * this.bytesPerUser
  }

  makeRoom(length: number): void {
    this.furthest = grown(this.furthest, length)
    this.groups = grown(this.groups, length)
    for (const [place, gaps] of this.gaps.entries()) this.gaps[place] = grown(gaps, length)
  }
}
