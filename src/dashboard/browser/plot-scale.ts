/** What the server's drawing of a plot and the browser's have in common: heights, and which of them and which labels are named. */

export interface PlotScale {
  readonly bottom: number
  readonly top: number
  readonly ticks: readonly number[]
}

const TICKS = 5
/** The least distance of figures that are drawn as different lines. */
const LEAST = 1e-9

/** From 0, or below the lowest figure, to a little above the highest. Where people or events are counted, no tick is a fraction. */
export function scaleOf(figures: readonly (number | null)[]): PlotScale {
  let [low, high, isWhole] = [0, 0, true]
  for (const figure of figures) {
    if (figure === null) continue
    low = Math.min(low, figure)
    high = Math.max(high, figure)
    isWhole &&= Number.isInteger(figure)
  }
  if (high - low < LEAST) high = low + 1
  const step = stepOf((high - low) / TICKS, isWhole)
  const from = Math.floor(low / step)
  const count = Math.ceil(high / step) - from + 1
  // A product, since a sum of fractions drifts.
  const ticks = Array.from({ length: count }, (_, place) => Number(((from + place) * step).toPrecision(12)))
  return { bottom: from * step, top: Math.max(ticks.at(-1) ?? 1, high + (high - low) * 0.04), ticks }
}

/** The smallest of 1, 2, 5, 10, 20 … that is as large as this. */
function stepOf(least: number, isWhole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const step = ([1, 2, 5].find((one) => one * power >= least) ?? 10) * power
  return isWhole ? Math.max(1, step) : step
}

const WHOLE = new Intl.NumberFormat('en')
const SHORT = new Intl.NumberFormat('en', { notation: 'compact' })
const SMALL = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

/** The name of a height, as short as it can be: `250`, `12K`, `0.05`, `40%`. */
export function tickText(value: number, unit: string | undefined): string {
  if (unit === 'percent') return `${SMALL.format(value)}%`
  const size = Math.abs(value)
  return (size >= 10_000 ? SHORT : size < 1 ? SMALL : WHOLE).format(value)
}

/** How wide the names of heights are, in pixels. */
export function ticksWidth(texts: readonly string[]): number {
  return 14 + 7 * Math.max(0, ...texts.map((text) => text.length))
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

function isDay(label: string): boolean {
  return DAY.test(label)
}

const STRIDES_OF_DAYS = [1, 2, 7, 14, 28, 56, 112]
const STRIDES = [1, 2, 3, 4, 6, 12, 24, 48, 100]

/** Which labels are named where there is room for so many. */
export function marksOf(labels: readonly string[], room: number): number[] {
  const least = labels.length / Math.max(1, room)
  const strides = isDay(labels[0] ?? '') ? STRIDES_OF_DAYS : STRIDES
  const stride = strides.find((one) => one >= least) ?? Math.ceil(least)
  return [...labels.keys()].filter((index) => index % stride === 0)
}

const DAY_NAME = dateFormat({ day: 'numeric', month: 'short' })
const MONTH_NAME = dateFormat({ month: 'short', year: 'numeric' })

function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options })
}

const LONG_MS = 17_280_000_000

/** The labels below a plot: `24 Oct`, `Oct 2026` in a long period, or the label as it is. No label repeats. */
export function markTexts(labels: readonly string[], marks: readonly number[]): string[] {
  const shown = marks.map((index) => labels[index] ?? '')
  if (!shown.every(isDay)) return shown
  const isLong = Date.parse(labels.at(-1) ?? '') - Date.parse(labels[0] ?? '') > LONG_MS
  const texts = shown.map((label) => (isLong ? MONTH_NAME : DAY_NAME).format(new Date(label)))
  return texts.map((text, place) => (text === texts[place - 1] ? '' : text))
}

interface StackedSeries {
  readonly data: readonly (number | null)[]
  /** Whether it hangs below zero. */
  readonly isBelow?: boolean | undefined
}

/** Each series on those before it; those below zero under one another. */
export function stacked(series: readonly StackedSeries[]): (number | null)[][] {
  const [above, below] = [new Map<number, number>(), new Map<number, number>()]
  return series.map(({ data, isBelow }) => {
    const [sums, sign] = isBelow ? [below, -1] : [above, 1]
    return data.map((value, index) => {
      const sum = (sums.get(index) ?? 0) + sign * (value ?? 0)
      sums.set(index, sum)
      return sum
    })
  })
}

/** From the lowest height at a label to the highest. */
export function extentAt(heights: readonly (readonly (number | null)[])[], index: number): readonly [number, number] {
  const all = heights.map((data) => data[index] ?? 0)
  return [Math.min(0, ...all), Math.max(0, ...all)]
}

/** The last label that has a figure; -1 where none has. Hours to come have none. */
export function lastFigure(series: readonly (readonly (number | null)[])[]): number {
  return Math.max(
    -1,
    ...series.map((data) => data.reduce<number>((last, value, index) => (value === null ? last : index), -1)),
  )
}

const SATURDAY = 6

/** Which labels are a Saturday or a Sunday, where each label is a day and the next is the day after. */
export function weekendsOf(labels: readonly string[]): number[] {
  const days = labels.map((label) => (isDay(label) ? Date.parse(label) / 1000 : Number.NaN))
  const isDaily = days.length > 1 && days.every((day, index) => index === 0 || day - (days[index - 1] ?? 0) === 86_400)
  if (!isDaily) return []
  return [...days.keys()].filter((index) => [0, SATURDAY].includes(new Date(labels[index] ?? '').getUTCDay()))
}
