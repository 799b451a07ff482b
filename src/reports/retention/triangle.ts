/** Where the cells of each interval begin: those of interval i are one for it and one for each that follows, row after row. */
export function rowStartsOf(intervals: number): Uint32Array {
  const starts = new Uint32Array(intervals + 1)
  for (let row = 0; row < intervals; row++) starts[row + 1] = (starts[row] as number) + intervals - row
  return starts
}
