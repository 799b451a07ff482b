import type { CardChart, CardLine } from '../figures/card-figures.ts'
import { MAX_LINES } from '../figures/plot.tsx'
import { HeadRow, NumberCell, numberColumn } from '../figures/table.tsx'
import { toDay } from '../words/format.ts'

const [WIDTH, HEIGHT] = [300, 80]

/** Lines as a picture that needs no script, and their figures as a table. */
export function LineChart({ chart, title }: { chart: CardChart; title: string }) {
  const lines = chart.lines.slice(0, MAX_LINES)
  const top = Math.max(0, ...lines.flatMap(({ data }) => data.filter((value) => value !== null)))
  const [first = '', last = ''] = [chart.labels[0], chart.labels.at(-1)].map((label) => textOf(label ?? ''))
  return (
    <>
      <div class="sketch">
        <span class="hint">{chart.toText(top)}</span>
        <svg
          viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}: ${first} to ${last}, at most ${chart.toText(top)}`}
        >
          {lines.map(({ data }, place) => (
            <path class={`line-${place + 1}`} d={pathOf(data, top)} />
          ))}
        </svg>
        <span class="hint ends">
          <span>{first}</span>
          <span>{last}</span>
        </span>
      </div>
      <Legend lines={lines} all={chart.lines.length} />
      <FiguresTable chart={{ ...chart, lines }} title={title} />
    </>
  )
}

function textOf(label: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(label) ? toDay(label) : label
}

/** A gap where there is no figure; a figure without a neighbour is a short dash. */
function pathOf(data: CardLine['data'], top: number): string {
  const step = WIDTH / Math.max(1, data.length - 1)
  const y = (value: number) => (HEIGHT - (Math.max(0, value) / (top || 1)) * HEIGHT).toFixed(1)
  const isFigure = (index: number) => typeof data[index] === 'number'
  return data
    .map((value, index) => {
      if (value === null) return ''
      const x = (index * step).toFixed(1)
      if (!isFigure(index - 1) && !isFigure(index + 1)) return `M${x} ${y(value)}h4`
      return `${isFigure(index - 1) ? 'L' : 'M'}${x} ${y(value)}`
    })
    .join('')
}

function Legend({ lines, all }: { lines: readonly CardLine[]; all: number }) {
  if (lines.length === 1 && lines[0]?.total === null) return null
  return (
    <ul class="card-legend">
      {lines.map(({ name, total }, place) => (
        <li>
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <rect class={`line-${place + 1}`} width="10" height="10" rx="2" />
          </svg>
          <bdi title={name}>{name}</bdi>
          {total !== null && <strong>{total}</strong>}
        </li>
      ))}
      {all > lines.length && <li class="hint">{`Top ${lines.length} of ${all}`}</li>}
    </ul>
  )
}

function FiguresTable({ chart: { labels, lines, toText }, title }: { chart: CardChart; title: string }) {
  return (
    <details class="figures">
      <summary>
        Table<span class="unseen">{`: ${title}`}</span>
      </summary>
      <section class="scroll" tabindex={0} aria-label={`Figures: ${title}`}>
        <table>
          <thead>
            <HeadRow columns={['Interval', ...lines.map(({ name }) => numberColumn(<bdi>{name}</bdi>))]} />
          </thead>
          <tbody>
            {labels.map((label, place) => (
              <tr>
                <th scope="row">{textOf(label)}</th>
                {lines.map(({ data }) => {
                  const value = data[place] ?? null
                  return value === null ? <td class="number">–</td> : <NumberCell value={value} text={toText(value)} />
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
