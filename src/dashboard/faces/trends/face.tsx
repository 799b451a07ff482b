import type { AssistantQuestion } from '../../../assistants/pages.ts'
import { SAME_DAYS } from '../../../base/time/intervals.ts'
import { jsonItems } from '../../../http/list-params.ts'
import type { QueryParams } from '../../../http/params.ts'
import { LETTERS } from '../../../questions/trends/formula.ts'
import { SHARED_BY_TRENDS, TRENDS_PARAMS, trendLines, trendParam } from '../../../questions/trends/saved.ts'
import { comparedTimes, hasEarlier, NO_EARLIER_DATA, previousPeriod } from '../../figures/comparison.ts'
import { othersLabel, othersOf, VALUE } from '../../figures/declared.ts'
import { Nothing } from '../../figures/empty.tsx'
import { jsonIn, usersHrefOf } from '../../figures/figure-users.ts'
import { CsvLink, MAX_LINES, Plot } from '../../figures/plot.tsx'
import { intervalLabels, untilNow } from '../../figures/plot-labels.ts'
import { groupsOf } from '../../forms/question-form.tsx'
import { hrefWith, type View } from '../../request/address.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { attempt } from '../../request/problem.tsx'
import { toDay } from '../../words/format.ts'
import { type CellWords, eventIn, isDate, textIn } from '../cell-words.ts'
import { askForSizes, showsValues } from '../events/group-sizes.ts'
import { paramsByEvents } from '../events/offered.ts'
import { type Face, faceOf, given } from '../face.ts'
import { questionPage } from '../question-page.tsx'
import { offeredValuesHref } from '../values/offered.ts'
import { drawTrends } from './card.ts'
import { TrendsForm } from './form.tsx'
import { type LegendRow, TrendLegend } from './legend.tsx'
import {
  askWithOthers,
  countsUsers,
  intervalIn,
  lineOf,
  linesOf,
  nameOfLine,
  type TrendsAnswer,
  trends,
  trendsOnCards,
  trendsTable,
} from './question.ts'
import { isDrawnAsBars, tellingEvent } from './series.ts'

/** Up to six events side by side, and formulas over them. It opens with the event that says most. */
async function trendsPage(request: ApplicationRequest) {
  const { c, view, home, context, clock } = request
  if (trendLines(view).length === 0 && (await request.hasEvents())) {
    const { names } = await request.names()
    return c.redirect(hrefWith(view, { [trendParam('event', 0)]: tellingEvent(names) }))
  }
  const query = trends.query(view)
  const events = trendLines(view).map(({ event }) => event)
  const [isComparable, params] = await Promise.all([
    hasEarlier(request, view.params.get('compare') === '28d' ? SAME_DAYS : undefined),
    paramsByEvents(request, events),
  ])
  return questionPage(request, {
    title: 'Explore',
    question: trends,
    subject: events.map(eventIn).join(', '),
    scripts: ['plots.js'],
    hasDays: true,
    asking: query && attempt(askWithOthers(view, context, query)),
    fields: TRENDS_PARAMS,
    isNothing: (answer) => answer === null && trendLines(view).length === 0,
    form: (fields, { isAll }) => (
      <TrendsForm {...fields} params={params} isAll={isAll} valuesHref={offeredValuesHref(home)} />
    ),
    figures: (answer) => (
      <TrendFigures view={view} home={home} clock={clock} answer={answer} isComparable={isComparable} />
    ),
  })
}

interface FiguresShown extends Pick<ApplicationRequest, 'view' | 'home' | 'clock'> {
  readonly answer: TrendsAnswer
  readonly isComparable: boolean
}

function TrendFigures(shown: FiguresShown) {
  const { view, home, clock, answer, isComparable } = shown
  if (answer.yValues.every(({ empty }) => empty)) {
    return (
      <Nothing view={view} title="No events in this period">
        None of these events occurred. Check their spelling, or choose a longer period.
      </Nothing>
    )
  }
  const interval = intervalIn(view)
  const labels = answer.xValues.data
  const isBars = isDrawnAsBars(view)
  const rows = rowsOf(shown, isBars)
  // All others, where nobody could say what they are together.
  const unasked = answer.other
    ? null
    : othersOf<LegendRow>({ groups_total: answer.groups_total }, answer.yValues.length)
  const times = comparedTimes(view, { interval, compare: view.params.get('compare') ?? '', labels }, clock)
  const named = intervalLabels({ interval, labels }, view, clock)
  return (
    <Plot
      title={rows.length > MAX_LINES ? `Top ${MAX_LINES} of ${answer.groups_total ?? rows.length}` : titleOf(view)}
      kind={isBars ? 'stack' : 'lines'}
      {...named}
      unit={VALUE}
      legend={
        <TrendLegend view={view} rows={rows} others={unasked} isComparable={isComparable} isOpen={named.isOpen} />
      }
      series={[
        ...rows.map((row) => ({ ...row, data: interval === 'hour' ? untilNow(labels, row.data, clock) : row.data })),
        ...rows.flatMap(({ name, compared }) =>
          compared === null
            ? []
            : [{ name: `${name} (compared)`, data: compared.data, times, isBefore: true, isUndrawn: rows.length > 1 }],
        ),
      ]}
    >
      <p class="more">
        {!isComparable && `${NO_EARLIER_DATA} to compare with. `}
        {isComparable && `Change: vs ${comparedPeriod(view)}. `}
        {hasOverlaps(view) && 'A user with several values counts in each group. '}
        <CsvLink view={view} href={`${home}/trends.csv`} />
      </p>
    </Plot>
  )
}

/** What is counted, where it is one thing only. */
function titleOf(view: View): string {
  const [line, ...others] = trendLines(view)
  return line && others.length === 0 && !view.params.get('formula') ? nameOfLine(line) : 'Trends'
}

function comparedPeriod(view: View): string {
  if (view.params.get('compare') === '28d') return `${SAME_DAYS} days earlier`
  return ['week', 'month'].includes(view.params.get('interval') ?? '') ? 'previous period' : previousPeriod(view)
}

function hasOverlaps(view: View): boolean {
  return groupsOf(view).length > 0 && countsUsers(view, 0)
}

function rowsOf({ view, home, answer: { yValues, other }, isComparable }: FiguresShown, isBars: boolean): LegendRow[] {
  const usersIn = (query: QueryParams | null) => (query ? usersHrefOf(home, trends.path, query) : () => undefined)
  const lines = linesOf(view, yValues, usersIn(trends.query(view)))
  if (other) {
    const usersOf = usersIn(countsUsers(view, 0) ? other.query : null)
    const usersAt = (interval?: string) => usersOf({ series: 'A', interval })
    lines.push(lineOf(other.series, { name: othersLabel(other), group: null, usersAt }))
  }
  const compared = [...yValues, ...(other ? [other.series] : [])].map((one) => one.compared)
  // Bars that stand on one another leave no room for those of another time.
  const isCompared = isComparable && !isBars && compared.some((data) => data)
  return lines.map((line, place) => ({
    ...line,
    compared: isCompared ? { place: lines.length + place, data: compared[place] ?? [] } : null,
  }))
}

interface SentSeries {
  readonly event: string
  readonly mode?: string
  readonly of?: string
  readonly filters?: readonly unknown[]
}

/** The page has a field for each part of a series, and seven days of hours by default, as the operation. */
function trendParams({ query }: AssistantQuestion) {
  const series = query.getAll('series').flatMap((text) => jsonItems(text, true) as SentSeries[])
  const lines = series
    .slice(0, LETTERS.length)
    .flatMap(({ event, mode, of, filters = [] }, line) => [
      [trendParam('event', line), event] as const,
      ...(mode ? [[trendParam('mode', line), mode] as const] : []),
      ...(of ? [[trendParam('of', line), of] as const] : []),
      ...filters.map((filter) => [trendParam('filters', line), JSON.stringify(filter)] as const),
    ])
  const isByHour = query.get('interval') === 'hour' && !query.has('start') && !query.has('end')
  return [...lines, ...given(query, SHARED_BY_TRENDS), ...(isByHour ? [['period', '7d'] as const] : [])]
}

/** Hours as they are; the others begin with a day. */
const words: CellWords = ({ params, cell: { series, interval } }) => {
  const all = params.getAll('series').flatMap((text) => jsonIn(text) as { event?: string; name?: string }[])
  const one = all[LETTERS.indexOf(textIn(series) ?? 'A')]
  const at = textIn(interval)
  return [one ? (one.name ?? eventIn(one.event ?? null)) : null, at && isDate(at) ? toDay(at) : at]
}

export const trendsFace: Face = faceOf(trendsOnCards, {
  page: 'trends',
  navigation: { label: 'Explore', icon: 'trend', isInBar: true },
  make: trendsPage,
  csv: trendsTable,
  answers: { analyzeTrends: trendParams },
  words,
  draw: drawTrends,
  card: {
    sizes: (view, context) => askForSizes(view, context, trendLines(view)[0]),
    isOfValues: (view) => trendLines(view).some(({ mode }) => showsValues(mode)),
    filters: (view) => trendLines(view).map(({ filters }) => filters),
  },
})
