import type uPlot from 'uplot'
import type { PlotFigures } from './plot-figures.ts'

/** So near the pointer has to be to a point. */
const NEAR_PIXELS = 14
/** Beside it, the nearest point counts up to here. */
const BESIDE_PIXELS = 40

/** The list of the users whom the figure under the pointer counts; null if there is none. */
export function usersAtCursor(plot: uPlot, { series, isStack }: PlotFigures): string | null {
  const { idx, left, top } = plot.cursor
  const x = typeof idx === 'number' ? plot.data[0][idx] : undefined
  if (typeof idx !== 'number' || x === undefined || left === undefined || top === undefined || top < 0) return null
  const drawn = series.filter(({ isDrawn }) => isDrawn)
  if (isStack) return drawn[partAt(drawn, idx, plot.posToVal(top, 'y'))]?.users[idx] ?? null
  if (Math.abs(plot.valToPos(x, 'x') - left) > BESIDE_PIXELS) return null
  const distances = drawn.map(({ data, users }) => {
    const value = data[idx] ?? null
    return value === null || !users[idx] ? Number.POSITIVE_INFINITY : Math.abs(plot.valToPos(value, 'y') - top)
  })
  const nearest = Math.min(...distances)
  return nearest <= NEAR_PIXELS ? (drawn[distances.indexOf(nearest)]?.users[idx] ?? null) : null
}

/** Which part of a bar has this height; -1 if it is not as high. */
function partAt(series: PlotFigures['series'], idx: number, height: number): number {
  const [isLow, size] = [height < 0, Math.abs(height)]
  let sum = 0
  return series.findIndex(({ data, isBelow }) => {
    if (isBelow !== isLow) return false
    sum += data[idx] ?? 0
    return size <= sum
  })
}
