import { endsToday, hrefTo, hrefWith, type View } from '../../address.ts'
import { NO_EARLIER_DATA, previousPeriod, previousSeries } from '../../comparison.ts'
import { Bar, BarsHead, GroupName } from '../../components/bars.tsx'
import { Nothing } from '../../components/empty.tsx'
import { MAX_LINES, Plot } from '../../components/plot.tsx'
import { ANY_EVENT, MAX_GROUPS } from '../../components/question-form.tsx'
import { Change, StatTiles } from '../../components/stat-tiles.tsx'
import { NumberCell, numberColumn } from '../../components/table.tsx'
import { toCount, toFigure, toPercent, toWeekday } from '../../format.ts'
import { labelOfGroup, labelOfGrouping } from '../../labels.ts'
import { type EventAnswer, type EventMeasure, MODES, modeOf } from './question.ts'

interface EventFiguresShown extends EventAnswer {
  readonly view: View
  readonly home: string
  readonly groups: readonly string[]
}

export function EventFigures(shown: EventFiguresShown) {
  const { view, home, series, before, days, groups, headlines, isFilteredOut } = shown
  const mode = modeOf(view)
  const event = view.params.get('event') ?? ''
  if (series.every(({ empty }) => empty)) return <NoEvents view={view} event={event} isFilteredOut={isFilteredOut} />
  return (
    <>
      {headlines && <Headlines {...shown} headlines={headlines} current={mode} />}
      <Plot
        title={`${mode.label} by day`}
        kind="lines"
        of="Day"
        labels={days}
        toLabel={toWeekday}
        toText={mode.toText}
        isOpen={endsToday(view)}
        {...(mode.mode === 'pct_dau' && { unit: 'percent' as const })}
        series={[
          ...series.map(({ name, data }, place) => ({
            name: headlines ? nameOf(event) : labelOfGroup(groups, name),
            data,
            isUndrawn: place >= MAX_LINES,
          })),
          ...(headlines && before
            ? before.map(({ data }) => ({ name: previousSeries(view), data, isBefore: true }))
            : []),
        ]}
      >
        <p class="more">
          {series.length > MAX_LINES &&
            `Top ${MAX_LINES} of ${series.length}${series.length === MAX_GROUPS ? '+' : ''}. `}
          <CsvLink view={view} home={home} />
        </p>
      </Plot>
      {!headlines && <Groups {...shown} mode={mode} />}
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

export function CsvLink({ view, home }: Pick<EventFiguresShown, 'view' | 'home'>) {
  return (
    <a href={hrefWith({ ...view, path: `${home}/events.csv` }, {})} download>
      CSV
    </a>
  )
}

function nameOf(event: string): string {
  return event === ANY_EVENT ? 'Any event' : event
}

interface HeadlinesShown extends EventFiguresShown {
  readonly headlines: NonNullable<EventAnswer['headlines']>
  readonly current: EventMeasure
}

/** All that can be counted of the event at once; a click draws it. */
function Headlines({ view, headlines, isComparable, before, current }: HeadlinesShown) {
  const wasNothing = before?.every(({ empty }) => empty) ?? false
  const [users, events] = headlines.map(({ key_value: value }) => value)
  // The operation rounds events per user, which are few: the two counts are more exact.
  const textOf = (mode: EventMeasure['mode'], value: number) =>
    mode === 'average' && users && events
      ? toFigure(events / users)
      : mode === 'pct_dau'
        ? toPercent(value)
        : toCount(value)
  const stats = MODES.map(({ mode, label, hint }, place) => ({
    label,
    hint,
    value: textOf(mode, headlines[place]?.key_value ?? 0),
    change: (before && headlines[place]?.change) ?? null,
    isNew: wasNothing,
    ...(!isComparable && { note: NO_EARLIER_DATA }),
    href: hrefWith(view, { mode }),
    isCurrent: mode === current.mode,
  }))
  return <StatTiles stats={stats} vs={previousPeriod(view)} />
}

function Groups({ view, series, isComparable, before, groups, mode }: EventFiguresShown & { mode: EventMeasure }) {
  const most = Math.max(...series.map(({ key_value: value }) => value), 1)
  const then = new Map(before?.map((one) => [one.name, one]))
  // Of the time before only the largest groups are known, too.
  const isAllBefore = before !== null && before.length < MAX_GROUPS
  const title = labelOfGrouping(groups)
  return (
    <section class="card">
      <h2>{`${mode.label} by ${title}`}</h2>
      <table class="bars">
        <BarsHead title={title} columns={[numberColumn(headOf(mode)), ...(before ? [numberColumn('Change')] : [])]} />
        <tbody>
          {series.map(({ name, key_value: value, change }) => (
            <tr>
              <th scope="row">
                <Bar part={value} whole={most} />
                <GroupName view={view} properties={groups} name={name} of="events" />
              </th>
              <NumberCell value={value} text={mode.mode === 'pct_dau' ? toPercent(value) : toCount(value)} />
              {before && (
                <td class="number">
                  <Change ifNew="New" change={change} isNew={isAllBefore && (then.get(name)?.empty ?? true)} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">
        {before && `Change: vs ${previousPeriod(view)}.`}
        {!isComparable && `${NO_EARLIER_DATA} to compare with.`}
        {series.length === MAX_GROUPS && ` Top ${MAX_GROUPS} groups.`}
        {mode.mode === 'uniques' && ' A user with several values counts in each group.'}
      </p>
    </section>
  )
}

function headOf({ mode }: EventMeasure): string {
  if (mode === 'average') return 'Rounded'
  if (mode === 'pct_dau') return 'Share'
  return mode === 'uniques' ? 'Users' : 'Events'
}

function NoEvents({ view, event, isFilteredOut }: { view: View; event: string; isFilteredOut: boolean }) {
  if (isFilteredOut) {
    return (
      <Nothing view={view} title="No events match these filters">
        <bdi>{nameOf(event)}</bdi> occurred in this period, but not with these filters.
      </Nothing>
    )
  }
  return (
    <Nothing view={view} title="No events in this period">
      {event === ANY_EVENT
        ? 'No event occurred. Choose a longer period. '
        : 'No event with this name occurred. Check its spelling: names are case-sensitive. '}
      <a href={hrefWith(view, { event: null, mode: null, group_by: null })}>Show all events</a>
    </Nothing>
  )
}
