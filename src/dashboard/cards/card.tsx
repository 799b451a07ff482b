import type { SavedQuestion } from '../../accounts/applications/saved-questions.ts'
import type { RequestContext } from '../../http/context.ts'
import { faceAt } from '../faces/faces.ts'
import type { CardFigures, CardList, CardRow } from '../figures/card-figures.ts'
import { describePeriod } from '../figures/comparison.ts'
import { othersOf, textOf } from '../figures/declared.ts'
import { BarTable } from '../figures/figure-table.tsx'
import { Figure, numberColumn } from '../figures/table.tsx'
import { pageOfSaved } from '../frame/saved-menu.tsx'
import { readView, type View } from '../request/address.ts'
import { type Attempt, attempt, ProblemNote } from '../request/problem.tsx'
import { toShare } from '../words/format.ts'
import { LineChart } from './line-chart.tsx'

/** A saved report, to be drawn on a card. */
export interface SavedCard {
  readonly name: string
  /** The label of its page: `Funnels`. */
  readonly kind: string
  readonly page: string
  readonly view: View
}

/** The card of a saved report. On a board, it has the board's period, and its own filters are added to the board's. */
export function cardOf(
  { name, address }: Pick<SavedQuestion, 'name' | 'address'>,
  today: number,
  board?: View,
): SavedCard {
  const [page = '', query = ''] = splitAddress(address)
  const params = new URLSearchParams(query)
  if (board) {
    for (const word of PERIOD_WORDS) params.delete(word)
    for (const word of PERIOD_WORDS) for (const value of board.params.getAll(word)) params.append(word, value)
    const own = params.getAll('filters')
    for (const filter of board.filters) if (!own.includes(filter)) params.append('filters', filter)
  }
  const view = readView(new URL(`/${page}?${params}`, NOWHERE), today)
  return { name, kind: pageOfSaved(address), page, view }
}

export const PERIOD_WORDS = ['period', 'start', 'end']
const NOWHERE = 'https://nowhere.invalid'

function splitAddress(address: string): [page: string, query: string] {
  const at = address.indexOf('?')
  return at === -1 ? [address, ''] : [address.slice(0, at), address.slice(at + 1)]
}

/** Null figures where the report asks nothing. */
export type DrawnCard = Attempt<CardFigures | null>

export function drawCard({ page, view }: SavedCard, context: RequestContext): Promise<DrawnCard> {
  const report = faceAt(page)?.card?.ask(view)
  return attempt(report ? report.draw(context) : Promise.resolve(null))
}

interface CardShown {
  readonly card: Pick<SavedCard, 'name' | 'kind' | 'view'>
  readonly drawn: DrawnCard
  /** Where the whole report is; without it nothing on the card leads anywhere. */
  readonly href?: string
  /** Replaces the figures. */
  readonly note?: string | null
  /** In words, if they are not to be seen elsewhere on the page. */
  readonly filters?: readonly string[]
}

export function ReportCard({ card: { name, kind, view }, drawn, href, note = null, filters = [] }: CardShown) {
  const { data: figures, problem } = drawn
  const title = <bdi>{name}</bdi>
  return (
    <section class="card report">
      <h2>{href === undefined ? title : <a href={href}>{title}</a>}</h2>
      <p class="hint">{[kind, view.period && describePeriod(view.period), ...filters].filter(Boolean).join(' · ')}</p>
      {note !== null && <p class="nothing">{note}</p>}
      {note === null && problem && <ProblemNote problem={problem} />}
      {note === null && !problem && (figures ? <Figures figures={figures} title={name} /> : <NothingAsked />)}
    </section>
  )
}

function NothingAsked() {
  return <p class="nothing">This report has no event yet. Open it, choose one, and save it again.</p>
}

function Figures({ figures: { headlines, chart, list }, title }: { figures: CardFigures; title: string }) {
  const isEmpty = chart?.lines.length === 0 || list?.rows.length === 0
  return (
    <>
      {headlines.length > 0 && (
        <dl class="headlines">
          {headlines.map(({ label, value }) => (
            <div>
              <dt title={label}>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {isEmpty && <p class="nothing">No events in this period match.</p>}
      {chart && !isEmpty && <LineChart chart={chart} title={title} />}
      {list && !isEmpty && <RowList list={list} title={title} />}
    </>
  )
}

/** Groups that a card has room for. */
const ROWS = 8

function RowList({ list: { of, figure, rows, total, whole, isCut }, title }: { list: CardList; title: string }) {
  const shown = total === null ? rows : rows.slice(0, ROWS)
  const others = othersOf<CardRow>(
    { groups_total: total ?? 0, other: isCut ? undefined : restOf(shown, whole) },
    shown.length,
  )
  const share = (value: number) => (whole === null ? '' : ` · ${toShare(value, whole)}`)
  return (
    <BarTable
      title={of}
      label={title}
      rows={shown}
      sizeOf={({ value }) => value}
      nameOf={({ name }) => <bdi title={name}>{name}</bdi>}
      columns={[
        {
          head: numberColumn(figure.label),
          draw: ({ value }) => <Figure value={value} text={textOf(figure, value) + share(value)} />,
        },
      ]}
      others={others}
    />
  )
}

/** What is left of a whole. */
function restOf(rows: readonly CardRow[], whole: number | null): CardRow | undefined {
  if (whole === null) return undefined
  const value = whole - rows.reduce((sum, row) => sum + row.value, 0)
  return { name: '', value, group: null, users: null }
}
