import type { SavedQuestion } from '../../accounts/applications/saved-questions.ts'
import { precedingPeriod } from '../../base/time/period.ts'
import type { RequestContext } from '../../http/context.ts'
import { faceAt } from '../faces/faces.ts'
import type { CardFigures, CardHeadline, CardList, CardRow } from '../figures/card-figures.ts'
import {
  describePeriod,
  type EarlierData,
  isComparable,
  type KeptApplication,
  previousPeriod,
} from '../figures/comparison.ts'
import { othersOf, textOf } from '../figures/declared.ts'
import { BarTable } from '../figures/figure-table.tsx'
import { Change, ComparedNote } from '../figures/stat-tiles.tsx'
import { Figure, numberColumn, UsersLink } from '../figures/table.tsx'
import { pageOfSaved } from '../frame/saved-menu.tsx'
import { readView, type View } from '../request/address.ts'
import { type Attempt, attempt, ProblemNote } from '../request/problem.tsx'
import { toShare } from '../words/format.ts'
import { compared, withoutChanges } from './changes.ts'
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

/** What the cards of a page are drawn with. */
export interface CardsAbout {
  readonly application: KeptApplication
  readonly context: RequestContext
  /** Where its lists of users are; null where figures lead nowhere. */
  readonly home: string | null
  readonly earlier: EarlierData
}

/** Null figures where the report asks nothing. */
export type DrawnCard = Attempt<CardFigures | null>

/** Asks about the previous period, too, where it is known and the answer itself does not say how its figures changed. One question at a time. */
export function drawCard(card: SavedCard, about: CardsAbout): Promise<DrawnCard> {
  return attempt(draw(card, about))
}

async function draw(card: SavedCard, about: CardsAbout): Promise<CardFigures | null> {
  const { page, view } = card
  const figures = (await faceAt(page)?.card?.ask(view)?.(about.context, about.home)) ?? null
  if (figures === null) return null
  const then = earlierCard(card)
  if (!then?.view.period || !isComparable(then.view.period.from, about)) return withoutChanges(figures)
  if (figures.headlines.every(({ change }) => change !== undefined)) return figures
  const { data: before } = await attempt(
    faceAt(page)?.card?.ask(then.view)?.(about.context, null) ?? Promise.resolve(null),
  )
  return before ? compared(figures, before) : figures
}

/** The card of the same report about the previous period; null if the address names a period that does not exist. */
export function earlierCard(card: SavedCard): SavedCard | null {
  const { period } = card.view
  return period && { ...card, view: { ...card.view, periodName: null, period: precedingPeriod(period) } }
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
      {note === null &&
        !problem &&
        (figures ? <Figures figures={figures} title={name} view={view} /> : <NothingAsked />)}
    </section>
  )
}

function NothingAsked() {
  return <p class="nothing">This report has no event yet. Open it, choose one, and save it again.</p>
}

interface FiguresShown {
  readonly figures: CardFigures
  readonly title: string
  readonly view: View
}

function Figures({ figures: { headlines, chart, list }, title, view }: FiguresShown) {
  const totals = chart?.lines.flatMap(({ total }) => total ?? []) ?? []
  const isEmpty = chart?.lines.length === 0 || list?.rows.length === 0
  return (
    <>
      {headlines.length > 0 && (
        <dl class="headlines">
          {headlines.map((headline) => (
            <div>
              <dt title={headline.label}>{headline.label}</dt>
              <dd>
                <Headline {...headline} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {isEmpty && <p class="nothing">No events in this period match.</p>}
      {chart && !isEmpty && <LineChart chart={chart} title={title} />}
      {list && !isEmpty && <RowList list={list} title={title} />}
      <ComparedNote stats={[...headlines, ...totals]} vs={previousPeriod(view)} />
    </>
  )
}

function Headline({ value, users, change, ...figure }: CardHeadline) {
  return (
    <>
      <UsersLink users={value ? users : undefined}>{textOf(figure, value)}</UsersLink>
      {typeof change === 'number' && (
        <>
          {' '}
          <Change change={change} {...figure} />
        </>
      )}
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
          draw: ({ value, href }) => <Figure value={value} text={textOf(figure, value) + share(value)} users={href} />,
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
