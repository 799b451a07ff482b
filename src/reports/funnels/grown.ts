type Flat = Float64Array | Uint32Array | Int32Array | Uint8Array

/** The same with room for so many, and for some more where it would soon be too small again. */
export function grown<A extends Flat>(array: A, length: number): A {
  if (length <= array.length) return array
  const larger = new (array.constructor as new (length: number) => A)(Math.max(length, Math.ceil(1.5 * array.length)))
  larger.set(array)
  return larger
}
