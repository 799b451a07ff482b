/** Codes: small numbers, in two bytes each if all fit. */
export type Codes = Uint16Array | Uint32Array

/** In as few bytes as the greatest needs. */
export type PairCounts = Uint8Array | Codes

type Flat = Float64Array | Uint32Array | Int32Array | Uint16Array | Uint8Array

/** Copies an array into a longer one of the same type. */
export function enlarged<A extends Flat>(array: A, length: number): A {
  const larger = new (array.constructor as new (length: number) => A)(length)
  larger.set(array)
  return larger
}

export function increase(counts: Uint32Array, index: number, by = 1): void {
  counts[index] = (counts[index] as number) + by
}

/** Sets these marks to 1, by indexes. */
export function mark(marks: Uint8Array, indexes: Uint32Array, from = 0, to = indexes.length): void {
  for (let at = from; at < to; at++) marks[indexes[at] as number] = 1
}

/** The sum of numbers. */
export function total(numbers: ArrayLike<number>): number {
  let sum = 0
  for (let index = 0; index < numbers.length; index++) sum += numbers[index] as number
  return sum
}

/** From one number on, up to another. */
export function numbersBetween(from: number, to: number): Uint32Array {
  const numbers = new Uint32Array(to - from)
  for (let index = 0; index < numbers.length; index++) numbers[index] = from + index
  return numbers
}

/** The first of `length` indexes for which `holds` is true, as it is for all after it; `length` if there is none. */
export function firstIndex(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Finds the first index within [from, to] at which rising numbers are not below a value. */
export function lowerBound(rising: ArrayLike<number>, value: number, from = 0, to = rising.length): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rising[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Finds what `lowerBound` finds, quicker if it is near `from`. */
export function gallop(rising: ArrayLike<number>, value: number, from: number, to: number): number {
  let [low, step] = [from, 1]
  while (low + step <= to && (rising[low + step - 1] as number) < value) {
    low += step
    step *= 2
  }
  return lowerBound(rising, value, low, Math.min(low + step - 1, to))
}

/** The first index whose number is above a value. */
export function behind(rising: ArrayLike<number>, value: number, from: number, to: number): number {
  let index = gallop(rising, value, from, to)
  while (index < to && rising[index] === value) index++
  return index
}
