import { MAX_GROUPS } from '../../../columns/selection/filter.ts'
import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import { type FigureSeries, isMeasure } from '../../../questions/event-segments/contract.ts'
import { GroupBars, type SeriesLine } from '../../figures/bars.tsx'
import { knownChange, lineBefore, NO_EARLIER_DATA, previousPeriod } from '../../figures/comparison.ts'
import { othersOf } from '../../figures/declared.ts'
import { NearestName, Nothing } from '../../figures/empty.tsx'
import { usersHrefOf } from '../../figures/figure-users.ts'
import { CsvLink, MAX_LINES, Plot } from '../../figures/plot.tsx'
import { dayLabels } from '../../figures/plot-labels.ts'
import { StatTiles } from '../../figures/stat-tiles.tsx'
import { wholeOf } from '../../figures/totals-text.ts'
import { commonQuery, hrefTo, hrefWith, type View } from '../../request/address.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { counted } from '../../words/format.ts'
import { eventIn } from '../cell-words.ts'
import {
  type EventAnswer,
  type EventMeasure,
  headlinesOf,
  linesOf,
  measuredParam,
  modeOf,
  segments,
  titleOfMeasure,
} from './question.ts'

interface EventFiguresShown extends EventAnswer, Pick<ApplicationRequest, 'view' | 'home'> {
  readonly groups: readonly string[]
  /** The names that occurred. */
  readonly names: readonly string[]
}

export function EventFigures(shown: EventFiguresShown) {
  const { view, home, series, before, days, headlines, isFilteredOut, names } = shown
  const mode = modeOf(view)
  const event = view.params.get('event') ?? ''
  const lines = linesOf(view, series, usersHrefOf(home, segments.path, segments.query(view)))
  const param = measuredParam(view)
  if (series.every(({ empty }) => empty)) {
    if (param !== null) return <NoNumbers view={view} event={event} param={param} />
    return <NoEvents view={view} event={event} isFilteredOut={isFilteredOut} names={names} />
  }
  return (
    <>
      {headlines && <Headlines {...shown} headlines={headlines} current={mode} />}
      <Plot
        title={`${titleOfMeasure(view)} by day`}
        kind="lines"
        {...dayLabels(days, view)}
        unit={mode.unit}
        legend={!headlines && <Groups {...shown} lines={lines} />}
        series={[...lines, ...(headlines && before ? before.map(({ data }) => lineBefore(view, data)) : [])]}
      >
        <p class="more">
          {series.length > MAX_LINES && `Top ${MAX_LINES} of ${shown.groups_total ?? series.length}. `}
          <NotNumeric series={series} />
          <CsvLink view={view} href={`${home}/events.csv`} />
        </p>
      </Plot>
      {event !== ANY_EVENT && (
        <p class="more">
          <a href={hrefTo(view, `${home}/paths`, { event })}>Paths from here</a>
          {' · '}
          <a href={hrefTo(view, `${home}/funnels`, { events: event })}>Create funnel</a>
        </p>
      )}
    </>
  )
}

interface HeadlinesShown extends EventFiguresShown {
  readonly headlines: NonNullable<EventAnswer['headlines']>
  readonly current: EventMeasure
}

/** Tiles of everything that can be counted of the event; a click draws one. */
function Headlines({ view, home, headlines, isComparable, before, current }: HeadlinesShown) {
  const wasNothing = before?.every(({ empty }) => empty) ?? false
  const [users, events] = headlines.map(({ key_value: value }) => value)
  // The operation rounds events per user, which are few: the two counts are more exact.
  const figureOf = (measure: EventMeasure, headline: EventHeadline | undefined) =>
    measure.mode === 'average' && users && events ? events / users : headline ? wholeOf(headline) : null
  const usersHref = usersHrefOf(home, segments.path, {
    ...commonQuery(view),
    event: view.params.get('event') ?? ANY_EVENT,
  })
  const stats = headlinesOf(current).map((measure, place) => ({
    ...measure,
    label: measure === current ? titleOfMeasure(view) : measure.label,
    value: figureOf(measure, headlines[place]),
    users: measure.mode === 'uniques' ? usersHref({}) : undefined,
    change: knownChange(isComparable, before, wasNothing ? null : (headlines[place]?.change ?? null)),
    href: hrefWith(view, { mode: measure.mode }),
    isCurrent: measure === current,
  }))
  return <StatTiles stats={stats} vs={previousPeriod(view)} />
}

function Groups({ lines, ...shown }: EventFiguresShown & { lines: readonly SeriesLine[] }) {
  const { view, other, isComparable, before, groups } = shown
  const mode = modeOf(view)
  const then = new Map(before?.map((one) => [one.name, one]))
  // Of the time before only the largest groups are known, too.
  const isAllBefore = before !== null && before.length < MAX_GROUPS
  const isNew = ({ group }: SeriesLine) => isAllBefore && (then.get(group ?? '')?.empty ?? true)
  return (
    <GroupBars
      title={titleOfMeasure(view)}
      measure={{ ...mode, label: headOf(mode) }}
      view={view}
      properties={groups}
      lines={lines.map((line) => (isNew(line) ? { ...line, total: { ...line.total, change: null } } : line))}
      others={othersOf({ ...shown, other: other && linesOf(view, [other], () => undefined)[0] }, lines.length)}
      isCompared={before !== null}
    >
      <p class="hint">
        {before && `Change: vs ${previousPeriod(view)}.`}
        {!isComparable && `${NO_EARLIER_DATA} to compare with.`}
        {mode.mode === 'uniques' && ' A user with several values counts in each group.'}
      </p>
    </GroupBars>
  )
}

function headOf({ mode, label }: EventMeasure): string {
  if (isMeasure(mode)) return label
  if (mode === 'average') return 'Rounded'
  if (mode === 'pct_dau') return 'Share'
  return mode === 'uniques' ? 'Users' : 'Events'
}

type EventHeadline = Pick<FigureSeries, 'key_value' | 'total'>

function NotNumeric({ series }: Pick<EventAnswer, 'series'>) {
  const events = series.reduce((sum, one) => sum + (one.not_numeric ?? 0), 0)
  return events > 0 && `${counted(events, 'event')} left out: the value is not a number. `
}

function NoNumbers({ view, event, param }: { view: View; event: string; param: string }) {
  return (
    <Nothing view={view} title="Nothing to measure in this period">
      <bdi>{eventIn(event)}</bdi> has no <bdi>{param}</bdi> that is a number other than 0 here. Choose another parameter
      or a longer period. <a href={hrefWith(view, { mode: null, of: null })}>Count users instead</a>
    </Nothing>
  )
}

interface NoEventsShown extends Pick<EventFiguresShown, 'view' | 'names'> {
  readonly event: string
  readonly isFilteredOut: boolean
}

function NoEvents({ view, event, isFilteredOut, names }: NoEventsShown) {
  if (isFilteredOut) {
    return (
      <Nothing view={view} title="No events match these filters">
        <bdi>{eventIn(event)}</bdi> occurred in this period, but not with these filters.
      </Nothing>
    )
  }
  return (
    <Nothing view={view} title="No events in this period">
      {event === ANY_EVENT
        ? 'No event occurred. Choose a longer period. '
        : 'No event with this name occurred. Check its spelling: names are case-sensitive. '}
      {event !== ANY_EVENT && <NearestName view={view} param="event" name={event} names={names} />}{' '}
      <a href={hrefWith(view, { event: null, mode: null, of: null, group_by: null })}>Show all events</a>
    </Nothing>
  )
}
