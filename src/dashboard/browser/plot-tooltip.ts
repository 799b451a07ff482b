import type uPlot from 'uplot'
import { annotationsOfPage, type PlotFigures, type PlotSeries } from './plot-figures.ts'

/** The tooltip of a plot, which follows the pointer or the keys. */
export interface PlotTooltip {
  readonly show: (plot: uPlot) => void
  readonly hide: () => void
  /** What it says of a label, in a sentence. */
  readonly describe: (index: number) => string
}

const GAP_PIXELS = 14

export function tooltipIn(place: HTMLElement, figures: PlotFigures): PlotTooltip {
  const box = element('div', 'tooltip')
  box.hidden = true
  box.setAttribute('aria-hidden', 'true')
  place.append(box)
  const annotations = annotationsOfPage()
  let shown = -1
  const hide = () => {
    box.hidden = true
    shown = -1
  }
  const show = (plot: uPlot) => {
    const { idx, left = -1, top = -1 } = plot.cursor
    if (typeof idx !== 'number' || left < 0) return hide()
    if (shown !== idx) {
      box.replaceChildren(...partsOf(figures, idx, annotations))
      shown = idx
    }
    box.hidden = false
    const { offsetLeft, offsetTop, clientWidth, clientHeight } = plot.over
    const isLeft = left + GAP_PIXELS + box.offsetWidth > clientWidth
    const x = offsetLeft + (isLeft ? left - GAP_PIXELS - box.offsetWidth : left + GAP_PIXELS)
    const y =
      offsetTop + Math.min(Math.max(0, top - box.offsetHeight / 2), Math.max(0, clientHeight - box.offsetHeight))
    box.style.transform = `translate(${Math.max(0, Math.round(x))}px, ${Math.round(y)}px)`
  }
  const describe = (index: number) =>
    partsOf(figures, index, annotations)
      .map(({ textContent }) => textContent)
      .join(', ')
  return { show, hide, describe }
}

/** The date, a line for each series that is drawn, what a bar adds up to, and annotations. */
function partsOf(figures: PlotFigures, index: number, annotations: ReadonlyMap<string, string[]>): HTMLElement[] {
  const { texts, labels, series, open, isStack } = figures
  const drawn = series.filter(({ isDrawn, data }) => isDrawn && data[index] !== null)
  const title = element('strong', '', texts[index])
  const rows = drawn.map((one) => rowOf(one, index, changeOf(drawn, one, { index, open })))
  const isSum = isStack && drawn.length > 1
  // As bars lie on one another.
  const order = isSum
    ? [...rows.keys()].sort((a, b) => Number(drawn[a]?.isBelow) - Number(drawn[b]?.isBelow) || b - a)
    : [...rows.keys()]
  const sorted = order.map((place) => rows[place] as HTMLElement)
  const parts = isSum ? [...sorted, totalOf(drawn, index)] : sorted
  const notes = annotations.get(labels[index] ?? '') ?? []
  return [title, ...parts, ...notes.map((note) => element('em', '', note))]
}

function rowOf(series: PlotSeries, index: number, change: string): HTMLElement {
  const row = element('span', 'line')
  const swatch = element('i', series.isDashed ? 'swatch dashed' : 'swatch')
  swatch.style.color = `var(${series.colour})`
  const name = element('bdi', '', series.times[index] || series.name)
  row.append(swatch, name, ' ', element('b', '', series.texts[index] ?? ''), change && element('small', '', change))
  return row
}

/** One series beside its previous period, once its interval is over. */
function changeOf(drawn: readonly PlotSeries[], series: PlotSeries, at: { index: number; open: number }): string {
  const [now, before, ...others] = drawn
  if (series !== now || !before?.isBefore || others.length > 0 || at.index === at.open) return ''
  const [value, then] = [now.data[at.index] ?? 0, before.data[at.index] ?? 0]
  const percent = then > 0 ? Math.round((value / then - 1) * 100) : 0
  return percent === 0 ? '' : ` ${percent > 0 ? '▲' : '▼'} ${Math.abs(percent).toLocaleString('en')}%`
}

function totalOf(drawn: readonly PlotSeries[], index: number): HTMLElement {
  const total = drawn.reduce((sum, { data, isBelow }) => sum + (isBelow ? 0 : (data[index] ?? 0)), 0)
  const row = element('span', 'line total', 'Total ')
  row.append(element('b', '', total.toLocaleString('en', { maximumFractionDigits: 2 })))
  return row
}

function element(name: string, className: string, text = ''): HTMLElement {
  return Object.assign(document.createElement(name), { className, textContent: text })
}
