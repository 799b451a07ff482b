import type { Gaps } from './ways.ts'

/** The one or two in the middle of some figures in order, whose mean is the median. Reorders the figures. */
export function middleOf<G extends Gaps>(figures: G): G {
  const { length } = figures
  if (length === 0) return figures.slice() as G
  const low = (length - 1) >>> 1
  const high = length >>> 1
  select(figures, low)
  // All before the selected place are at most as great, all after it at least: the next is the least of these.
  if (high > low) moveLeastTo(figures, high)
  return figures.slice(low, high + 1) as G
}

export function together(lists: readonly Gaps[]): Gaps {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const list of lists) {
    all.set(list, end)
    end += list.length
  }
  return all
}

export function meanOf(figures: Gaps): number | null {
  if (figures.length === 0) return null
  let sum = 0
  for (const figure of figures) sum += figure
  return sum / figures.length
}

/** Puts in one place the figure that would stand there if all were in order, none greater before it, none less after it (quickselect). */
function select(figures: Gaps, place: number): void {
  let [from, to] = [0, figures.length - 1]
  while (from < to) {
    const pivot = figures[(from + to) >>> 1] as number
    let [left, right] = [from, to]
    while (left <= right) {
      while ((figures[left] as number) < pivot) left++
      while ((figures[right] as number) > pivot) right--
      if (left > right) break
      swap(figures, left, right)
      left++
      right--
    }
    if (place <= right) to = right
    else if (place >= left) from = left
    else return
  }
}

function moveLeastTo(figures: Gaps, place: number): void {
  for (let other = place + 1; other < figures.length; other++) {
    if ((figures[other] as number) < (figures[place] as number)) swap(figures, other, place)
  }
}

function swap(figures: Gaps, a: number, b: number): void {
  const figure = figures[a] as number
  figures[a] = figures[b] as number
  figures[b] = figure
}
