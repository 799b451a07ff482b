import { stacked } from './plot-scale.ts'

/** What a plot is drawn from. */
export interface PlotFigures {
  readonly unit: string | undefined
  readonly isStack: boolean
  /** The place of the interval that is not over; -1 where all are. */
  readonly open: number
  readonly labels: readonly string[]
  /** Labels as they stand below the plot. */
  readonly marks: readonly string[]
  /** Labels in full. */
  readonly texts: readonly string[]
  readonly series: readonly PlotSeries[]
}

export interface PlotSeries {
  readonly name: string
  readonly isBefore: boolean
  /** Whether it hangs below zero. */
  readonly isBelow: boolean
  /** A custom property of the style sheet. */
  readonly colour: string
  readonly isDashed: boolean
  readonly data: readonly (number | null)[]
  /** The figures as people read them. */
  readonly texts: readonly string[]
  /** What each figure is of, where it is of another time. */
  readonly times: readonly string[]
  /** The lists of the users whom the figures count. */
  readonly users: readonly (string | null)[]
  isDrawn: boolean
}

/** There are colours for so many. */
const COLOURS = 6

/** Reads the table of a plot. */
export function readTable(figure: HTMLElement): PlotFigures {
  const [, ...heads] = figure.querySelectorAll<HTMLElement>('.figures thead th')
  const rows = [...figure.querySelectorAll('.figures tbody tr')]
  const cells = rows.map((row) => [...row.querySelectorAll('td')])
  const titles = rows.map((row) => row.querySelector<HTMLElement>('th'))
  const series = heads.map((head, place) => {
    const column = cells.map((row) => row[place])
    const values = column.map((cell) => cell?.querySelector('data')?.value)
    const isBefore = 'before' in head.dataset
    return {
      name: head.textContent ?? '',
      isBefore,
      isBelow: 'below' in head.dataset,
      colour: isBefore ? '--faint' : `--series-${(place % COLOURS) + 1}`,
      isDashed: isBefore || place >= COLOURS,
      data: values.map((value) => (value === undefined ? null : Number(value))),
      texts: column.map((cell) => cell?.textContent ?? ''),
      times: column.map((cell) => cell?.title ?? ''),
      users: column.map((cell) => cell?.querySelector('a')?.href ?? null),
      isDrawn: !('undrawn' in head.dataset),
    }
  })
  const labels = titles.map((title) => title?.dataset.label ?? '')
  return {
    unit: figure.dataset.unit,
    isStack: figure.dataset.kind === 'stack',
    open: Number(figure.dataset.open ?? -1),
    labels,
    marks: titles.map((title, place) => title?.dataset.mark ?? labels[place] ?? ''),
    texts: titles.map((title) => title?.textContent ?? ''),
    series,
  }
}

/** Heights of the series that are drawn, in their order: figures, or sums of them. */
export function heightsOf({ series, isStack }: PlotFigures): (number | null)[][] {
  const drawn = series.filter(({ isDrawn }) => isDrawn)
  return isStack ? stacked(drawn) : drawn.map(({ data }) => [...data])
}

/** The texts of the annotations of the page by their days. */
export function annotationsOfPage(): Map<string, string[]> {
  const texts = new Map<string, string[]>()
  for (const item of document.querySelectorAll<HTMLElement>('[data-annotation]')) {
    const day = item.dataset.annotation ?? ''
    texts.set(day, [...(texts.get(day) ?? []), item.querySelector('bdi')?.textContent ?? ''])
  }
  return texts
}
