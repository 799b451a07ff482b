import type { CardChart, CardLine } from '../figures/card-figures.ts'
import { othersLabel, soFar } from '../figures/declared.ts'
import { MAX_LINES, SeriesTable, Swatch } from '../figures/plot.tsx'
import { HEIGHT, Line, openPlace, WIDTH } from '../figures/plot-drawing.tsx'
import { StatValue } from '../figures/stat-tiles.tsx'
import { toDay } from '../words/format.ts'

/** Lines as a picture that needs no script, and their figures as a table. */
export function LineChart({ chart, title }: { chart: CardChart; title: string }) {
  const { unit, isOpen, others = 0 } = chart
  const lines = chart.lines.slice(0, MAX_LINES)
  const isLinked = lines.some(({ usersAt }) => usersAt?.(chart.labels[0] ?? '') !== undefined)
  const top = Math.max(0, ...lines.flatMap(({ data }) => data.filter((value) => value !== null)))
  const open = isOpen ? openPlace(lines) : -1
  const labels = chart.labels.map((label, place) => (place === open ? soFar(textOf(label)) : textOf(label)))
  const [first = '', last = ''] = [labels[0], labels.at(-1)]
  const y = (value: number) => Math.round(HEIGHT * (1 - Math.max(0, value) / (top || 1)))
  return (
    <>
      <div class="sketch">
        <span class="hint">{unit.toText(top)}</span>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}: ${first} to ${last}, at most ${unit.toText(top)}`}
        >
          {lines.map(({ data }, place) => (
            <Line data={data} place={place} open={open} y={y} />
          ))}
        </svg>
        <span class="hint ends">
          <span>{first}</span>
          <span>{last}</span>
        </span>
      </div>
      <Legend lines={lines} others={chart.lines.length - lines.length + others} />
      <details class="figures">
        <summary>
          Table<span class="unseen">{`: ${title}`}</span>
        </summary>
        <SeriesTable
          title={title}
          of="Interval"
          rows={labels.map((text, place) => ({ text, label: isLinked ? chart.labels[place] : undefined }))}
          series={lines}
          unit={unit}
        />
      </details>
    </>
  )
}

function textOf(label: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(label) ? toDay(label) : label
}

function Legend({ lines, others }: { lines: readonly CardLine[]; others: number }) {
  if (lines.length === 1 && lines[0]?.total === null) return null
  return (
    <ul class="card-legend">
      {lines.map(({ name, total }, place) => (
        <li>
          <Swatch place={place} />
          <bdi title={name}>{name}</bdi>
          {total !== null && <StatValue {...total} />}
        </li>
      ))}
      {others > 0 && <li class="hint">{othersLabel({ count: others })}</li>}
    </ul>
  )
}
