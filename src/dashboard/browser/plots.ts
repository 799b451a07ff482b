import uPlot from 'uplot'
import { type Colour, DAY_SECONDS, drawAnnotations, unfinished, weekends } from './plot-days.ts'
import { type PlotFigures, usersAtCursor } from './plot-users.ts'

const HEIGHT = 240

for (const figure of document.querySelectorAll<HTMLElement>('figure.plot')) drawWhenSeen(figure)

/** A plot is drawn when it comes into view, again when there is more or less room, and anew when the colours change. */
function drawWhenSeen(figure: HTMLElement): void {
  const place = figure.querySelector<HTMLElement>('.canvas')
  if (!place) return
  let plot: uPlot | null = null
  const draw = () => {
    plot?.destroy()
    plot = new uPlot(...optionsOf(figure, place))
  }
  new ResizeObserver(() => {
    if (place.clientWidth === 0) return
    if (plot) plot.setSize({ width: place.clientWidth, height: HEIGHT })
    else draw()
  }).observe(place)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => plot && draw())
}

type Drawn = { readonly series: uPlot.Series[]; readonly data: (number | null)[][] }

function optionsOf(figure: HTMLElement, place: HTMLElement): [uPlot.Options, uPlot.AlignedData, HTMLElement] {
  const figures = readTable(figure)
  const colour = colours(figure)
  const { isStack } = figures
  const isTime = figures.labels.every((label) => /^\d{4}-\d{2}-\d{2}$/.test(label))
  const toText = textOf(figure.dataset.unit)
  const x = figures.labels.map((label, index) => (isTime ? Date.parse(`${label}T00:00:00Z`) / 1000 : index))
  const drawn = isStack ? bars(figures, colour, toText) : lines(figures, colour, toText)
  const labels: uPlot.Series = {
    label: figures.of,
    value: (_, __, ___, index) => (index === null ? '' : (figures.texts[index] ?? '')),
  }
  const axis = { stroke: colour('--faint'), font: '12px system-ui, sans-serif', ticks: { show: false } }
  const options: uPlot.Options = {
    width: place.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: {
      x: { time: isTime, ...((isStack || x.length === 1) && { range: () => widened(x, isTime ? DAY_SECONDS : 1) }) },
      y: { range: (_, min, max) => [bottom(min), top(max)] },
    },
    padding: [12, 20, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { show: !isStack } },
    axes: [
      { ...axis, grid: { show: false }, space: spaceOf(isTime), values: isTime ? DATES : namesOf(figures) },
      {
        ...axis,
        grid: { stroke: colour('--line'), width: 1 },
        size: (_, values) => 14 + 7 * Math.max(0, ...(values ?? []).map((text) => text.length)),
        values: (_, ticks) => ticks.map(toText),
        ...(isWhole(figures) && { incrs: WHOLE_STEPS }),
      },
    ],
    series: [labels, ...drawn.series],
    hooks: hooksOf(figures, isTime ? { x, colour, isStack } : null),
  }
  return [options, [x, ...drawn.data] as uPlot.AlignedData, place]
}

interface Around {
  /** Of each label, in seconds. */
  readonly x: readonly number[]
  readonly colour: Colour
  readonly isStack: boolean
}

/**
 * A click on a figure leads to the users whom it counts. Around days, weekends are shaded, a line stands at each annotation of the page,
 * and any other click chooses the day of a new one.
 */
function hooksOf(figures: PlotFigures, days: Around | null): uPlot.Hooks.Arrays {
  const ready = (plot: uPlot) =>
    plot.over.addEventListener('click', () => {
      const users = usersAtCursor(plot, figures)
      if (users !== null) location.assign(users)
      else if (days) chooseDay(figures.labels[plot.cursor.idx ?? -1])
    })
  const setCursor = (plot: uPlot) => {
    plot.over.style.cursor = usersAtCursor(plot, figures) === null ? '' : 'pointer'
  }
  if (!days) return { ready: [ready], setCursor: [setCursor] }
  const { x, colour, isStack } = days
  const fading = isStack && figures.isOpen ? [unfinished(x, colour)] : []
  const draw = [...fading, drawAnnotations(colour)]
  return { ready: [ready], setCursor: [setCursor], drawClear: [weekends(x, colour)], draw }
}

function chooseDay(label: string | undefined): void {
  const day = document.querySelector<HTMLInputElement>('.annotate [name=date]')
  if (!day || !label) return
  day.value = label
  document.querySelector<HTMLInputElement>('.annotate [name=text]')?.focus()
}

type ToText = (value: number) => string

/** Lines. An unfinished last interval is dotted. */
function lines({ series, isOpen }: PlotFigures, colour: Colour, toText: ToText): Drawn {
  const drawn = series.map((one, place) => {
    const stroke = colour(one.isBefore ? '--faint' : `--series-${place + 1}`)
    const shape = one.isBefore ? { dash: [4, 4], width: 1.5 } : { width: 2.25 }
    const line = { ...named(one, toText), stroke, points: LONE_POINTS, ...shape }
    if (!isOpen || one.isBefore) return { series: [line], data: [one.data] }
    const end = { ...line, dash: [2, 3], class: 'unseen' }
    const last = one.data.length - 1
    const [known, growing] = [
      one.data.map((value, day) => (day === last ? null : value)),
      one.data.map((value, day) => (day < last - 1 ? null : value)),
    ]
    return { series: [line, end], data: [known, growing] }
  })
  return { series: drawn.flatMap(({ series }) => series), data: drawn.flatMap(({ data }) => data) }
}

/** Stacked bars. The highest is drawn first, so that the lower ones stand in front of it. */
function bars({ series }: PlotFigures, colour: Colour, toText: ToText): Drawn {
  const paths = uPlot.paths.bars?.({ size: [0.8, 40] })
  const sums = stacked(series.map(({ data }) => data))
  const drawn = series.map((one, place) => {
    const fill = colour(`--series-${place + 1}`)
    return { ...named(one, toText), stroke: fill, fill, width: 0, points: { show: false }, ...(paths && { paths }) }
  })
  return { series: drawn.reverse(), data: sums.reverse() }
}

/** A series by its name, and its own figure in the legend, however it is drawn. */
function named({ name, data }: PlotFigures['series'][number], toText: ToText): uPlot.Series {
  const value = (index: number | null) => (index === null ? null : (data[index] ?? null))
  return {
    label: name,
    value: (_, __, ___, index) => {
      const shown = value(index)
      return shown === null ? '–' : toText(shown)
    },
  }
}

function readTable(figure: HTMLElement): PlotFigures {
  const [of, ...heads] = figure.querySelectorAll<HTMLElement>('thead th')
  const drawn = heads.filter((head) => !('undrawn' in head.dataset))
  const rows = [...figure.querySelectorAll('tbody tr')]
  const cells = rows.map((row) => [...row.querySelectorAll('td')])
  const values = cells.map((row) => row.map((cell) => cell.querySelector('data')?.value))
  const links = cells.map((row) => row.map((cell) => cell.querySelector('a')?.href ?? null))
  const titles = rows.map((row) => row.querySelector<HTMLElement>('th'))
  return {
    of: of?.textContent ?? '',
    isOpen: 'open' in figure.dataset,
    isStack: figure.dataset.kind === 'stack',
    labels: titles.map((title) => title?.dataset.label ?? ''),
    texts: titles.map((title) => title?.textContent ?? ''),
    series: drawn.map((head, place) => ({
      name: head.textContent ?? '',
      isBefore: 'before' in head.dataset,
      data: values.map((row) => (row[place] === undefined ? null : Number(row[place]))),
      users: links.map((row) => row[place] ?? null),
    })),
  }
}

function stacked(series: (number | null)[][]): (number | null)[][] {
  const sums = new Array<number>(series[0]?.length ?? 0).fill(0)
  return series.map((data) =>
    data.map((value, index) => {
      sums[index] = (sums[index] ?? 0) + (value ?? 0)
      return sums[index] ?? 0
    }),
  )
}

/** Half a bar more at both ends; half a step beside a single figure, which would be shown amid years. */
function widened(places: readonly number[], step: number): uPlot.Range.MinMax {
  const [min, max] = [places[0] ?? 0, places.at(-1) ?? 0]
  const room = max === min ? step / 2 : (max - min) / 60
  return [min - room, max + room]
}

/** Wide enough that no day is labelled twice. */
function spaceOf(isTime: boolean): uPlot.Axis.Space {
  return (_, __, min, max, width) => Math.max(70, isTime ? (width * DAY_SECONDS) / (max - min + 1) : 0)
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

/** The beginning of the axis: 0, or a little below the lowest figure. */
function bottom(min: number | null): number {
  return min === null || min >= 0 ? 0 : min * 1.08
}

/** The end of the axis: a little above the highest figure, and whole even where there is none. */
function top(max: number | null): number {
  return max === null || max <= 0 ? 1 : max * 1.08
}

/** Where people or events are counted, the axis has no halves. */
function isWhole({ series }: PlotFigures): boolean {
  return series.every(({ data }) => data.every((value) => value === null || Number.isInteger(value)))
}

const WHOLE_STEPS = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()

function textOf(unit: string | undefined): ToText {
  if (unit === 'percent') return (value) => `${Number(value.toFixed(1))}%`
  const [whole, short] = [new Intl.NumberFormat('en'), new Intl.NumberFormat('en', { notation: 'compact' })]
  const small = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
  return (value) => {
    const size = Math.abs(value)
    return (size < 1 ? small : size < 100_000 ? whole : short).format(value)
  }
}

const DATES: uPlot.Axis.Values = (_, ticks) => {
  const [day, month] = [formatOf({ day: 'numeric', month: 'short' }), formatOf({ month: 'short', year: 'numeric' })]
  const isLong = (ticks.at(-1) ?? 0) - (ticks[0] ?? 0) > 200 * 86_400
  return ticks.map((seconds) => (isLong ? month : day).format(new Date(seconds * 1000)))
}

function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options })
}

function namesOf({ texts }: PlotFigures): uPlot.Axis.Values {
  return (_, ticks) => ticks.map((tick) => texts[tick] ?? '')
}

function colours(element: HTMLElement): Colour {
  const style = getComputedStyle(element)
  return (name) => style.getPropertyValue(name).trim()
}
