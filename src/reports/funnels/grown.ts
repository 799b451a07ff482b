import { enlarged } from '../../columns/flat-arrays.ts'

/** The same with room for so many, and for some more where it would soon be too small again. */
export function grown<A extends Parameters<typeof enlarged>[0]>(array: A, length: number): A {
  return length <= array.length ? array : enlarged(array, Math.max(length, Math.ceil(1.5 * array.length)))
}
