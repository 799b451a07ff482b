import {
  extentAt,
  lastFigure,
  marksOf,
  markTexts,
  type PlotScale,
  scaleOf,
  stacked,
  ticksWidth,
  tickText,
  weekendsOf,
} from '../browser/plot-scale.ts'

export interface PlottedSeries {
  readonly name: string
  readonly data: readonly (number | null)[]
  readonly isBefore?: boolean
  /** Whether it hangs below zero, where others stand on one another. */
  readonly isBelow?: boolean
  /** What its figures are of, where it is of another time. */
  readonly times?: readonly string[]
  /** The list of the users whom the figure of a label counts. */
  readonly usersAt?: ((label: string) => string | undefined) | undefined
  /** Whether it is drawn only on demand: by default beyond the first ones, since too many lines cannot be told apart. */
  readonly isUndrawn?: boolean
}

interface DrawingShown {
  readonly kind: 'lines' | 'stack'
  readonly labels: readonly string[]
  /** Labels as they stand below the plot. */
  readonly marks: readonly string[]
  readonly series: readonly PlottedSeries[]
  readonly unit: string | undefined
  /** The place of the interval that is not over; -1 where all are. */
  readonly open: number
}

/** Where the interval that is not over stands: it is the last that has a figure. */
export function openPlace(series: readonly Pick<PlottedSeries, 'data' | 'isBefore'>[]): number {
  return lastFigure(series.filter(({ isBefore }) => !isBefore).map(({ data }) => data))
}

type Heights = readonly (readonly (number | null)[])[]

/** How shapes are measured, before they are stretched. */
export const [WIDTH, HEIGHT] = [1000, 200]
/** Names below a plot, where nobody knows how wide it is. */
const MARKS = 6
const COLOURS = 6

/** A plot without scripts, and until they run. The browser stretches it, but not its text. */
export function PlotDrawing({ kind, labels, marks, series, unit, open }: DrawingShown) {
  const drawn = series.map((one, place) => ({ ...one, place })).filter(({ isUndrawn }) => !isUndrawn)
  const data = drawn.map((one) => one.data)
  const heights = kind === 'stack' ? stacked(drawn) : data
  const scale = scaleOf(heights.flat())
  const texts = scale.ticks.map((tick) => tickText(tick, unit))
  const named = marksOf(labels, MARKS)
  const y = (value: number) => Math.round(HEIGHT * (1 - (value - scale.bottom) / (scale.top - scale.bottom)))
  return (
    <div class="drawing">
      <svg aria-hidden="true" width={ticksWidth(texts)}>
        {texts.map((text, place) => (
          <text x="100%" y={percent(y(scale.ticks[place] ?? 0), HEIGHT)} dx="-8" dy="4">
            {text}
          </text>
        ))}
      </svg>
      <svg aria-hidden="true" class="shapes">
        <Backdrop labels={labels} scale={scale} y={y} />
        {kind === 'lines' && <Hatch open={open} count={labels.length} top={0} bottom={HEIGHT} />}
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          width="100%"
          height="100%"
        >
          {kind === 'lines'
            ? drawn.map((one, place) => <Line {...one} data={heights[place] ?? []} open={open} y={y} />)
            : drawn.map((one, place) => <Bars place={one.place} data={heights[place] ?? []} y={y} />).reverse()}
        </svg>
        {kind === 'stack' && (
          <Hatch
            open={open}
            count={labels.length}
            top={y(extentAt(heights, open)[1])}
            bottom={y(extentAt(heights, open)[0])}
          />
        )}
      </svg>
      <span></span>
      <svg aria-hidden="true" class="marks">
        {markTexts(marks, named).map((text, place) => (
          <text x={percent((named[place] ?? 0) + 0.5, labels.length)} y="16">
            {text}
          </text>
        ))}
      </svg>
    </div>
  )
}

function percent(part: number, whole: number): string {
  return `${Number(((part / whole) * 100).toFixed(2))}%`
}

interface BackdropShown {
  readonly labels: readonly string[]
  readonly scale: PlotScale
  readonly y: (value: number) => number
}

/** Weekends on a shade, and a line at each tick. */
function Backdrop({ labels, scale, y }: BackdropShown) {
  return (
    <>
      {weekendsOf(labels).map((index) => (
        <rect class="weekend" x={percent(index, labels.length)} width={percent(1, labels.length)} height="100%" />
      ))}
      {scale.ticks.map((tick) => (
        <line x2="100%" y1={percent(y(tick), HEIGHT)} y2={percent(y(tick), HEIGHT)} />
      ))}
    </>
  )
}

interface HatchShown {
  readonly open: number
  readonly count: number
  readonly top: number
  readonly bottom: number
}

/** The interval that is not over. Plots of a page may share the pattern. */
function Hatch({ open, count, top, bottom }: HatchShown) {
  if (open < 0) return null
  const place = { x: percent(open, count), y: percent(top, HEIGHT), height: percent(bottom - top, HEIGHT) }
  return (
    <svg aria-hidden="true" class="hatch" {...place} width={percent(1, count)}>
      <path d={hatchLines(count)} />
    </svg>
  )
}

/** In pixels: no plot is wider or higher. */
const [WIDEST, HIGHEST, HATCH] = [1300, 240, 8]
const MAX_LINES = 60

/** The lines of the hatching: as many as the widest interval needs; those of narrower ones are clipped. */
function hatchLines(intervals: number): string {
  const length = Math.min(MAX_LINES, Math.ceil((WIDEST / intervals + HIGHEST) / HATCH))
  return Array.from({ length }, (_, place) => `M${place * HATCH} 0l-${HIGHEST} ${HIGHEST}`).join('')
}

interface LineShown extends Pick<PlottedSeries, 'data' | 'isBefore'> {
  readonly place: number
  readonly open: number
  readonly y: (value: number) => number
}

/** A line; its way to the interval that is not over is dashed. */
export function Line({ data, place, isBefore, open, y }: LineShown) {
  const name = isBefore ? 'before' : classOf(place)
  const isGrowing = open > 0 && !isBefore
  return (
    <>
      <path class={name} d={pathOf(data, y, isGrowing ? { from: 0, to: open - 1 } : {})} />
      {isGrowing && <path class={`${name} growing`} d={pathOf(data, y, { from: open - 1, to: open })} />}
    </>
  )
}

/** From figure to figure. One without a neighbour is a point: a line of no length with round ends. */
function pathOf(
  data: readonly (number | null)[],
  y: (value: number) => number,
  { from = 0, to = data.length - 1 }: { readonly from?: number; readonly to?: number },
): string {
  const within = (index: number) => index >= from && index <= to && data[index] != null
  const steps = data.map((value, index) => {
    if (value === null || !within(index)) return ''
    const at = `${Math.round(((index + 0.5) / data.length) * WIDTH)} ${y(value)}`
    if (within(index - 1)) return `L${at}`
    return within(index + 1) ? `M${at}` : `M${at}h0`
  })
  return steps.join('')
}

/** Draws bars that are four fifths of an interval wide. */
function Bars({ place, data, y }: Pick<LineShown, 'place' | 'y'> & { readonly data: Heights[number] }) {
  const width = WIDTH / data.length
  const path = data.map((value, index) => {
    if (!value) return ''
    return `M${Math.round((index + 0.1) * width)} ${y(0)}V${y(value)}h${Math.round(width * 0.8)}V${y(0)}`
  })
  return <path class={`bar ${classOf(place)}`} d={path.join('')} />
}

/** The class that gives a series its colour. */
export function classOf(place: number): string {
  return `series-${(place % COLOURS) + 1}`
}
