import { TREND_INTERVALS } from '../../../base/time/divided-period.ts'
import { TRENDS_PARAMS, trendLines, trendParam } from '../../../questions/saved/contract.ts'
import { LETTERS } from '../../../questions/trends/formula.ts'
import type { analyzeTrendsRoute } from '../../../questions/trends/routes.ts'
import { endsToday, hrefWith, type View } from '../../address.ts'
import { applicationPage } from '../../application-page.tsx'
import type { AnswerTo } from '../../application-request.ts'
import { Nothing } from '../../components/empty.tsx'
import { InputField } from '../../components/field.tsx'
import { hourLabels, untilNow } from '../../components/hour-labels.ts'
import { MAX_LINES, Plot, SeriesTick } from '../../components/plot.tsx'
import { attempt } from '../../components/problem.tsx'
import {
  Choice,
  EventInput,
  OneGroupPicker,
  type QuestionFields,
  QuestionForm,
} from '../../components/question-form.tsx'
import { Figure, ListTable, NumberCell, numberColumn } from '../../components/table.tsx'
import { usersHrefOf } from '../../figure-users.ts'
import { type Clock, toAmount, toCount, toWeekday } from '../../format.ts'
import { labelOfProperty } from '../../labels.ts'
import { questionPage } from '../../question-page.tsx'
import { MODES } from '../events/question.ts'
import { askForTrends, queryOf } from './question.ts'

/** Up to six events side by side, and formulas over them. */
export const trendsPage = applicationPage((request) => {
  const { view, home, context, clock } = request
  const asking = askForTrends(view, context)
  return questionPage(request, {
    title: 'Explore',
    subject: trendLines(view)
      .map(({ event }) => event)
      .join(', '),
    scripts: ['plots.js'],
    hasDays: true,
    asking: asking && attempt(asking),
    fields: TRENDS_PARAMS,
    form: TrendsForm,
    figures: (answer) => <TrendFigures view={view} home={home} clock={clock} answer={answer} />,
  })
})

const MODE_OPTIONS = MODES.map(({ mode, label }) => [mode, label] as const)
const INTERVAL_OPTIONS = TREND_INTERVALS.map((name) => [name, `${name[0]?.toUpperCase()}${name.slice(1)}`] as const)
const COMPARE_OPTIONS = [
  ['', 'none'],
  ['previous', 'Previous period'],
  ['28d', '28 days earlier'],
] as const
const FIRST_TIME_OPTIONS = [
  ['', 'All events'],
  ['true', 'First time only'],
] as const

function TrendsForm({ view, names, params, cohorts, problem }: QuestionFields) {
  const lines = [...trendLines(view), { event: '', mode: '', of: '' }].slice(0, LETTERS.length)
  const parameters = [['', 'none'], ...params.map((param) => [param, labelOfProperty(param)] as const)] as const
  const shared = { view, problem }
  return (
    <QuestionForm view={view} own={TRENDS_PARAMS} names={names} hasAny>
      {lines.map(({ event }, line) => (
        <div class="row">
          <EventInput label={LETTERS.charAt(line)} name={trendParam('event', line)} value={event} problem={problem} />
          <Choice {...shared} label="Measure" name={trendParam('mode', line)} unsaid="uniques" options={MODE_OPTIONS} />
          <Choice {...shared} label="Parameter" name={trendParam('of', line)} options={parameters} />
        </div>
      ))}
      <div class="row">
        <InputField
          label="Formula"
          name="formula"
          value={view.params.get('formula') ?? ''}
          placeholder="B/A*100"
          problem={problem}
        />
        <Choice {...shared} label="Interval" name="interval" unsaid="day" options={INTERVAL_OPTIONS} />
        <Choice {...shared} label="Compare with" name="compare" options={COMPARE_OPTIONS} />
        <Choice {...shared} label="Count" name="first_time" options={FIRST_TIME_OPTIONS} />
        <OneGroupPicker view={view} params={params} cohorts={cohorts} problem={problem} />
        <button type="submit">Apply</button>
      </div>
    </QuestionForm>
  )
}

interface FiguresShown {
  readonly view: View
  readonly home: string
  readonly clock: Clock
  readonly answer: AnswerTo<typeof analyzeTrendsRoute>
}

/** The users of a series' figures, where these count users. Formulas come after the series. */
function usersOfSeries(view: View, home: string) {
  const usersHref = usersHrefOf(home, '/events/trends', queryOf(view) ?? {})
  const modes = trendLines(view).map(({ mode }) => mode || 'uniques')
  const isGrouped = (view.params.get('group_by') ?? '') !== ''
  return (place: number, name: string, at: { readonly interval?: string }): string | undefined => {
    const series = isGrouped ? 0 : place
    if (modes[series] !== 'uniques') return undefined
    return usersHref({ series: LETTERS.charAt(series), ...at, ...(isGrouped && { group: [name] }) })
  }
}

function TrendFigures({ view, home, clock, answer: { xValues, yValues } }: FiguresShown) {
  if (yValues.every(({ empty }) => empty)) {
    return (
      <Nothing view={view} title="No events in this period">
        None of these events occurred. Check their spelling, or choose a longer period.
      </Nothing>
    )
  }
  const isByHour = view.params.get('interval') === 'hour'
  const labels = xValues.data
  const named = isByHour ? hourLabels(labels, clock) : { of: 'From', labels, toLabel: toWeekday }
  const isOne = yValues.length === 1
  const usersOf = usersOfSeries(view, home)
  const times = comparedDays(view, labels)
  return (
    <Plot
      title="Trends"
      kind="lines"
      {...named}
      toText={toAmount}
      isOpen={endsToday(view)}
      legend={<Totals series={yValues} usersOf={usersOf} />}
      series={[
        ...yValues.map(({ name, data }, place) => ({
          name,
          data: isByHour ? untilNow(labels, data, clock) : data,
          isUndrawn: place >= MAX_LINES,
          usersAt: (interval: string) => usersOf(place, name, { interval }),
        })),
        ...yValues.flatMap(({ name, compared }) =>
          compared ? [{ name: `${name} (compared)`, data: compared, times, isBefore: true, isUndrawn: !isOne }] : [],
        ),
      ]}
    >
      <p class="more">
        <a href={hrefWith({ ...view, path: `${home}/trends.csv` }, {})} download>
          CSV
        </a>
      </p>
    </Plot>
  )
}

/** What is drawn, and the figures of the whole period. */
interface TotalsShown {
  readonly series: FiguresShown['answer']['yValues']
  readonly usersOf: ReturnType<typeof usersOfSeries>
}

function Totals({ series, usersOf }: TotalsShown) {
  return (
    <ListTable label="Totals" columns={['Series', numberColumn('Total'), numberColumn('Change')]}>
      {series.map(({ name, key_value: value, total, change, compared }, place) => (
        <tr>
          <th scope="row">
            <SeriesTick name={name} place={place} isUndrawn={place >= MAX_LINES} />
            <bdi>{name}</bdi>
          </th>
          <NumberCell
            value={total ?? value}
            text={total === undefined ? toCount(value) : toAmount(total ?? 0)}
            users={usersOf(place, name, {})}
          />
          <td class="number">
            {compared && (
              <SeriesTick
                name={`${name} (compared)`}
                place={series.length + place}
                isBefore
                isUndrawn={series.length > 1}
              />
            )}
            <Figure value={change} text={`${change}%`} />
          </td>
        </tr>
      ))}
    </ListTable>
  )
}

const FOUR_WEEKS_DAYS = 28

/** The first days of the intervals that these are compared with; none for hours. */
function comparedDays({ params }: View, labels: readonly string[]): string[] {
  const [interval, compare] = [params.get('interval') ?? 'day', params.get('compare')]
  if (interval === 'hour' || !compare) return []
  return labels.map((label) => {
    const date = new Date(label)
    if (compare === '28d') date.setUTCDate(date.getUTCDate() - FOUR_WEEKS_DAYS)
    else if (interval === 'month') date.setUTCMonth(date.getUTCMonth() - labels.length)
    else date.setUTCDate(date.getUTCDate() - labels.length * (interval === 'week' ? 7 : 1))
    return toWeekday(date.toISOString().slice(0, 'YYYY-MM-DD'.length))
  })
}
