/** Pairs of two codes, numbered from 0 on in order of first sight. */
export interface Pairing {
  /** The number of each row's pair. */
  readonly codes: Uint32Array
  /** The first and the second code of each pair. */
  readonly firsts: Uint32Array
  readonly seconds: Uint32Array
  readonly count: number
}

type CodeAt = Uint16Array | Uint32Array

/** Uses a hash table in flat arrays: a Map would cost much more for each row than all the rest. */
export function pairUp(first: CodeAt, second: CodeAt): Pairing {
  const { length } = first
  const codes = new Uint32Array(length)
  const [firsts, seconds] = [new Uint32Array(length), new Uint32Array(length)]
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * length + 1)))
  const last = slots.length - 1
  let count = 0
  for (let row = 0; row < length; row++) {
    const [one, other] = [first[row] as number, second[row] as number]
    let slot = slotOf(one, other) & last
    let pair = slots[slot] as number
    while (pair !== 0 && (firsts[pair - 1] !== one || seconds[pair - 1] !== other)) {
      slot = (slot + 1) & last
      pair = slots[slot] as number
    }
    if (pair === 0) {
      firsts[count] = one
      seconds[count] = other
      pair = ++count
      slots[slot] = pair
    }
    codes[row] = pair - 1
  }
  return { codes, firsts, seconds, count }
}

function slotOf(one: number, other: number): number {
  const mixed = Math.imul(one, 0x9e3779b1) ^ Math.imul(other + 1, 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}
