import { MAX_GROUPS } from '../../../columns/selection/filter.ts'
import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import { type FigureSeries, isMeasure } from '../../../questions/event-segments/contract.ts'
import { eventsQuery } from '../../../questions/event-segments/saved.ts'
import { GroupBars } from '../../figures/bars.tsx'
import { knownChange, NO_EARLIER_DATA, previousDays, previousPeriod, previousSeries } from '../../figures/comparison.ts'
import { othersOf } from '../../figures/declared.ts'
import { NearestName, Nothing } from '../../figures/empty.tsx'
import { changeColumn } from '../../figures/figure-table.tsx'
import { usersHrefOf, usersOfGroup } from '../../figures/figure-users.ts'
import { CsvLink, MAX_LINES, Plot } from '../../figures/plot.tsx'
import { dayLabels } from '../../figures/plot-labels.ts'
import { StatTiles } from '../../figures/stat-tiles.tsx'
import { wholeOf } from '../../figures/totals-text.ts'
import { commonQuery, hrefTo, hrefWith, type View } from '../../request/address.ts'
import { counted } from '../../words/format.ts'
import { labelOfGroup } from '../../words/labels.ts'
import { eventIn } from '../cell-words.ts'
import { type EventAnswer, type EventMeasure, headlinesOf, measuredParam, modeOf } from './question.ts'

interface EventFiguresShown extends EventAnswer {
  readonly view: View
  readonly home: string
  readonly groups: readonly string[]
  /** The names that occurred. */
  readonly names: readonly string[]
}

export function EventFigures(shown: EventFiguresShown) {
  const { view, home, series, before, days, groups, headlines, isFilteredOut, names } = shown
  const mode = modeOf(view)
  const event = view.params.get('event') ?? ''
  const usersOf = usersOfSeries(shown)
  const param = measuredParam(view)
  if (series.every(({ empty }) => empty)) {
    if (param !== null) return <NoNumbers view={view} event={event} param={param} />
    return <NoEvents view={view} event={event} isFilteredOut={isFilteredOut} names={names} />
  }
  return (
    <>
      {headlines && <Headlines {...shown} headlines={headlines} current={mode} />}
      <Plot
        title={`${titleOf(mode, param)} by day`}
        kind="lines"
        {...dayLabels(days, view)}
        unit={mode.unit}
        legend={!headlines && <Groups {...shown} mode={mode} />}
        series={[
          ...series.map(({ name, data }, place) => ({
            name: headlines ? eventIn(event) : labelOfGroup(groups, name),
            data,
            isUndrawn: place >= MAX_LINES,
            usersAt: (day: string) => usersOf(name, { day }),
          })),
          ...(headlines && before
            ? before.map(({ data }) => ({
                name: previousSeries(view),
                data,
                times: previousDays(view),
                isBefore: true,
              }))
            : []),
        ]}
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

/** The users of a series' figures, where these count users. */
function usersOfSeries({ view, home, groups }: Pick<EventFiguresShown, 'view' | 'home' | 'groups'>) {
  const usersHref = usersHrefOf(home, '/events/segmentation', { ...commonQuery(view), ...eventsQuery(view) })
  return (name: string, at: { readonly day?: string }): string | undefined => {
    if (modeOf(view).mode !== 'uniques') return undefined
    return groups.length > 0 ? usersOfGroup(usersHref, at, groups, name) : usersHref(at)
  }
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
  const param = measuredParam(view)
  const usersHref = usersHrefOf(home, '/events/segmentation', {
    ...commonQuery(view),
    event: view.params.get('event') ?? ANY_EVENT,
  })
  const stats = headlinesOf(current).map((measure, place) => ({
    ...measure,
    label: measure === current ? titleOf(measure, param) : measure.label,
    value: figureOf(measure, headlines[place]),
    users: measure.mode === 'uniques' ? usersHref({}) : undefined,
    change: knownChange(isComparable, before, wasNothing ? null : (headlines[place]?.change ?? null)),
    href: hrefWith(view, { mode: measure.mode }),
    isCurrent: measure === current,
  }))
  return <StatTiles stats={stats} vs={previousPeriod(view)} />
}

function Groups(shown: EventFiguresShown & { mode: EventMeasure }) {
  const { view, series, isComparable, before, groups, mode } = shown
  const usersOf = usersOfSeries(shown)
  const then = new Map(before?.map((one) => [one.name, one]))
  // Of the time before only the largest groups are known, too.
  const isAllBefore = before !== null && before.length < MAX_GROUPS
  const isNew = (name: string) => isAllBefore && (then.get(name)?.empty ?? true)
  return (
    <GroupBars
      title={titleOf(mode, measuredParam(view))}
      view={view}
      properties={groups}
      rows={series}
      sizeOf={(one) => wholeOf(one) ?? 0}
      columns={[
        {
          ...mode,
          label: headOf(mode),
          of: wholeOf,
          users: ({ name }) => usersOf(name, {}),
        },
        ...(before
          ? [changeColumn(({ name, change }: FigureSeries) => ({ ...mode, change: isNew(name) ? null : change }))]
          : []),
      ]}
      others={othersOf(shown, series.length)}
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

/** `Sum of order_total` */
function titleOf({ label }: EventMeasure, param: string | null): string {
  return param === null ? label : `${label} of ${param}`
}

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
