import uPlot from 'uplot'
import { CONTENT_CHANGED } from './here.ts'
import { heightsOf, type PlotFigures, readTable } from './plot-figures.ts'
import { type Colour, paintHooks } from './plot-paint.ts'
import { marksOf, markTexts, scaleOf, ticksWidth, tickText } from './plot-scale.ts'
import { tooltipIn } from './plot-tooltip.ts'
import { usersAtCursor } from './plot-users.ts'

const HEIGHT = 240
const MARKS_HEIGHT = 28
/** Room that a name below a plot needs. */
const MARK_PIXELS = 70

drawAll()
addEventListener(CONTENT_CHANGED, drawAll)

function drawAll(): void {
  for (const figure of document.querySelectorAll<HTMLElement>('figure.plot')) drawWhenSeen(figure)
}

/** A plot replaces the server's drawing when it comes into view; it is drawn again when its series, the room or the colours change. */
function drawWhenSeen(figure: HTMLElement): void {
  const place = figure.querySelector<HTMLElement>('.canvas')
  if (!place) return
  const figures = readTable(figure)
  let plot: uPlot | null = null
  const draw = () => {
    plot?.destroy()
    place.replaceChildren()
    plot = drawIn(place, figures)
  }
  new ResizeObserver(() => {
    if (place.clientWidth === 0) return
    if (plot) plot.setSize({ width: place.clientWidth, height: HEIGHT })
    else draw()
  }).observe(place)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => plot && draw())
  const ticks = figure.closest<HTMLElement>('.plotted') ?? figure
  ticks.addEventListener('change', ({ target }) => {
    const series = figures.series[Number((target as HTMLElement).dataset.series ?? Number.NaN)]
    if (!series) return
    series.isDrawn = (target as HTMLInputElement).checked
    if (plot) draw()
  })
  walkWithKeys(figure, place, { figures, current: () => plot })
}

function drawIn(place: HTMLElement, figures: PlotFigures): uPlot {
  const style = getComputedStyle(place)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const heights = heightsOf(figures)
  const drawn = figures.isStack ? bars(figures, heights, colour) : lines(figures, heights, colour)
  const x = [...figures.labels.keys()]
  const options: uPlot.Options = {
    width: place.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    scales: {
      x: { time: false, range: () => [-0.5, x.length - 0.5] },
      y: { range: () => rangeOf(heights) },
    },
    padding: [8, 8, 0, 0],
    cursor: {
      y: false,
      move: (plot, left, top) => (left < 0 ? [left, top] : [leftOfNearest(plot, left), top]),
      // Nothing is dragged: a pointer that was moved to the nearest label still clicks.
      drag: { x: false, y: false, click: () => {} },
      points: { show: !figures.isStack },
      // Plots of the same labels show the same place.
      sync: { key: `${figures.labels[0]}, ${x.length}`, scales: ['x', null], setSeries: false },
    },
    axes: axesOf(figures, heights, colour),
    series: [{}, ...drawn.series],
    hooks: { ...paintHooks(figures, colour), ...pointerHooks(place, figures) },
  }
  return new uPlot(options, [x, ...drawn.data] as uPlot.AlignedData, place)
}

/** Where the label nearest to the pointer stands. */
function leftOfNearest(plot: uPlot, left: number): number {
  const last = plot.data[0].length - 1
  return plot.valToPos(Math.min(last, Math.max(0, Math.round(plot.posToVal(left, 'x')))), 'x')
}

function rangeOf(heights: readonly (number | null)[][]): uPlot.Range.MinMax {
  const { bottom, top } = scaleOf(heights.flat())
  return [bottom, top]
}

function axesOf({ marks, labels, unit }: PlotFigures, heights: (number | null)[][], colour: Colour): uPlot.Axis[] {
  const shared = { stroke: colour('--faint'), font: '12px system-ui, sans-serif', ticks: { show: false } }
  const { ticks } = scaleOf(heights.flat())
  const texts = ticks.map((tick) => tickText(tick, unit))
  return [
    {
      ...shared,
      grid: { show: false },
      size: MARKS_HEIGHT,
      splits: ({ width }) => marksOf(labels, width / MARK_PIXELS),
      values: (_, places) => markTexts(marks, places),
    },
    {
      ...shared,
      grid: { stroke: colour('--line'), width: 1 },
      size: ticksWidth(texts),
      splits: () => [...ticks],
      values: () => texts,
    },
  ]
}

/** A tooltip at the pointer. A click on a figure leads to the users whom it counts; any other chooses the day of an annotation. */
function pointerHooks(place: HTMLElement, figures: PlotFigures): uPlot.Hooks.Arrays {
  const tooltip = tooltipIn(place, figures)
  const ready = (plot: uPlot) => {
    plot.over.addEventListener('click', () => {
      const users = usersAtCursor(plot, figures)
      if (users !== null) location.assign(users)
      else chooseDay(figures.labels[plot.cursor.idx ?? -1])
    })
    plot.over.addEventListener('mouseleave', tooltip.hide)
  }
  const setCursor = (plot: uPlot) => {
    plot.over.style.cursor = usersAtCursor(plot, figures) === null ? '' : 'pointer'
    const { idx } = plot.cursor
    if (typeof idx === 'number' && place.getAttribute('role') === 'slider') {
      place.setAttribute('aria-valuenow', String(idx))
      place.setAttribute('aria-valuetext', tooltip.describe(idx))
    }
    // Not on the plots beside it, which follow.
    if (place.matches(':hover, :focus')) tooltip.show(plot)
    else tooltip.hide()
  }
  return { ready: [ready], setCursor: [setCursor] }
}

function chooseDay(label: string | undefined): void {
  const day = document.querySelector<HTMLInputElement>('.annotate [name=date]')
  if (!day || !label || !/^\d{4}-\d{2}-\d{2}$/.test(label)) return
  day.value = label
  document.querySelector<HTMLInputElement>('.annotate [name=text]')?.focus()
}

interface Walked {
  readonly figures: PlotFigures
  readonly current: () => uPlot | null
}

/** With the keys of a slider the tooltip goes from label to label; Enter is a click on the first figure there. */
function walkWithKeys(figure: HTMLElement, place: HTMLElement, { figures, current }: Walked): void {
  const last = figures.labels.length - 1
  const attributes = {
    tabindex: '0',
    role: 'slider',
    'aria-label': figure.querySelector('h2')?.textContent ?? '',
    'aria-valuemin': '0',
    'aria-valuemax': String(last),
    'aria-valuenow': String(last),
    'aria-valuetext': figures.texts[last] ?? '',
  }
  place.removeAttribute('aria-hidden')
  for (const [name, value] of Object.entries(attributes)) place.setAttribute(name, value)
  const moveTo = (plot: uPlot, index: number) => {
    const value = heightsOf(figures)[0]?.[index] ?? 0
    plot.setCursor({ left: plot.valToPos(index, 'x'), top: plot.valToPos(value, 'y') })
  }
  const leave = () => current()?.setCursor({ left: -10, top: -10 })
  place.addEventListener('blur', leave)
  place.addEventListener('keydown', (event) => {
    const plot = current()
    if (!plot) return
    const now = plot.cursor.idx ?? last + 1
    const steps: Readonly<Record<string, number>> = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }
    const next = steps[event.key]
    if (next !== undefined) moveTo(plot, Math.min(last, Math.max(0, next)))
    else if (event.key === 'Enter') plot.over.click()
    else if (event.key === 'Escape') leave()
    else return
    event.preventDefault()
  })
}

type Drawn = { readonly series: uPlot.Series[]; readonly data: (number | null)[][] }

/** Lines. The way to an interval that is not over is dotted. */
function lines({ series, open }: PlotFigures, heights: (number | null)[][], colour: Colour): Drawn {
  const shown = series.filter(({ isDrawn }) => isDrawn)
  const drawn = shown.map((one, place) => {
    const data = heights[place] ?? []
    const line: uPlot.Series = {
      label: one.name,
      stroke: colour(one.colour),
      points: LONE_POINTS,
      width: one.isBefore ? 1.5 : 2.25,
      ...(one.isDashed && { dash: one.isBefore ? [4, 4] : [8, 3] }),
    }
    if (open < 0 || one.isBefore) return { series: [line], data: [data] }
    const [known, growing] = [
      data.map((value, index) => (index >= open ? null : value)),
      data.map((value, index) => (index < open - 1 ? null : value)),
    ]
    return { series: [line, { ...line, dash: [2, 3] }], data: [known, growing] }
  })
  return { series: drawn.flatMap(({ series }) => series), data: drawn.flatMap(({ data }) => data) }
}

/** Stacked bars. The highest is drawn first, so that the lower ones stand in front of it. */
function bars({ series }: PlotFigures, heights: (number | null)[][], colour: Colour): Drawn {
  const paths = uPlot.paths.bars?.({ size: [0.8, 40] })
  const drawn = series
    .filter(({ isDrawn }) => isDrawn)
    .map((one) => {
      const fill = colour(one.colour)
      return { label: one.name, stroke: fill, fill, width: 0, points: { show: false }, ...(paths && { paths }) }
    })
  return { series: drawn.reverse(), data: [...heights].reverse() }
}

/** A figure without a neighbour is a point, since no line leads to it. */
const LONE_POINTS: uPlot.Series.Points = {
  show: true,
  size: 7,
  filter: ({ data }, place) => {
    const figures: readonly unknown[] = Array.from(data[place] ?? [])
    const isFigure = (index: number) => typeof figures[index] === 'number'
    return [...figures.keys()].filter((index) => isFigure(index) && !isFigure(index - 1) && !isFigure(index + 1))
  },
}
