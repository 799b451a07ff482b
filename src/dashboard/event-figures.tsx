import { hrefTo, hrefWith } from './address.ts'
import { Bar } from './components/bar.tsx'
import { BarsHead } from './components/bars-head.tsx'
import { Nothing } from './components/nothing.tsx'
import { MAX_LINES, Plot } from './components/plot.tsx'
import { ANY_EVENT } from './components/question-form.tsx'
import { ShortChange, StatTiles } from './components/stat-tiles.tsx'
import { type EventAnswer, MODES, type Mode, modeOf } from './event-question.ts'
import { counted, toCount, toFigure, toPercent, toWeekday } from './format.ts'
import { labelOfGroup, labelOfGrouping, MAX_GROUPS } from './group-labels.ts'
import { GroupName } from './group-name.tsx'
import { spanBefore, timeBefore } from './time-before.ts'
import { endsToday, type View } from './view.ts'

interface EventFiguresShown extends EventAnswer {
  readonly view: View
  readonly home: string
  /** The properties that are grouped by. */
  readonly groups: readonly string[]
}

/** One event: its headlines, and day by day. */
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
          ...(headlines && before ? before.map(({ data }) => ({ name: 'Before', data, isBefore: true })) : []),
        ]}
      >
        <p class="more">
          {series.length > MAX_LINES && `The ${MAX_LINES} largest of ${series.length} groups are drawn. `}
          <CsvLink view={view} home={home} />
        </p>
      </Plot>
      {!headlines && <Groups {...shown} mode={mode} />}
      {event !== ANY_EVENT && (
        <p class="more">
          <a href={hrefTo(view, `${home}/paths`, { event })}>What happens after it</a>
          {' · '}
          <a href={hrefTo(view, `${home}/funnels`, { events: event })}>Begin a funnel with it</a>
        </p>
      )}
    </>
  )
}

/** The same question as a file. */
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
  readonly current: Mode
}

/** All that can be counted of the event at once; a click draws it. */
function Headlines({ view, headlines, before, current }: HeadlinesShown) {
  const wasNothing = before?.every(({ empty }) => empty) ?? false
  const [users, events] = headlines.map(({ key_value: value }) => value)
  const stats = MODES.map(({ mode, label, hint }, place) => ({
    label,
    hint,
    value: headlineText(mode, headlines[place]?.key_value ?? 0, { users, events }),
    change: (before && headlines[place]?.change) ?? null,
    before: timeBefore(view),
    isNew: wasNothing,
    href: hrefWith(view, { mode }),
    isCurrent: mode === current.mode,
  }))
  return <StatTiles stats={stats} />
}

interface Counts {
  readonly users?: number | undefined
  readonly events?: number | undefined
}

/** The operation rounds how many events a user has, which are few: the two counts say it more closely. */
function headlineText(mode: Mode['mode'], value: number, { users, events }: Counts): string {
  if (mode === 'average' && users && events) return toFigure(events / users)
  return mode === 'pct_dau' ? toPercent(value) : toCount(value)
}

/** The headline of each group. */
function Groups({ view, series, before, groups, mode }: EventFiguresShown & { mode: Mode }) {
  const most = Math.max(...series.map(({ key_value: value }) => value), 1)
  const then = new Map(before?.map((one) => [one.name, one]))
  // Of the time before only the largest groups are known, too.
  const isAllBefore = before !== null && before.length < MAX_GROUPS
  const title = labelOfGrouping(groups)
  return (
    <section class="card">
      <h2>{`${mode.label} by ${title.toLowerCase()}`}</h2>
      <table class="bars">
        <BarsHead title={title} columns={[{ label: headOf(mode) }, ...(before ? [{ label: 'Change' }] : [])]} />
        <tbody>
          {series.map(({ name, key_value: value, change }) => (
            <tr>
              <th scope="row">
                <Bar part={value} whole={most} />
                <GroupName view={view} properties={groups} name={name} of="events" />
              </th>
              <td class="number">
                <data value={String(value)}>{mode.mode === 'pct_dau' ? toPercent(value) : toCount(value)}</data>
              </td>
              {before && (
                <td class="number">
                  <ShortChange change={change} isNew={isAllBefore && (then.get(name)?.empty ?? true)} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">
        {before && `Change: against ${spanBefore(view)}.`}
        {series.length === MAX_GROUPS && ` The ${counted(MAX_GROUPS, 'largest group')} are shown.`}
        {mode.mode === 'uniques' && ' Users with several values are in several groups.'}
      </p>
    </section>
  )
}

/** What the figure of a group is: its column is narrow. */
function headOf({ mode, label }: Mode): string {
  if (mode === 'average') return 'Rounded'
  return mode === 'pct_dau' ? 'Share' : label
}

interface NoEventsShown {
  readonly view: View
  readonly event: string
  readonly isFilteredOut: boolean
}

/** Why there is nothing to draw, and what to do about it. */
function NoEvents({ view, event, isFilteredOut }: NoEventsShown) {
  if (isFilteredOut) {
    return (
      <Nothing view={view} title="Nothing passes the filters">
        <bdi>{nameOf(event)}</bdi> occurred in this period, but not with these filters.
      </Nothing>
    )
  }
  return (
    <Nothing view={view} title="Nothing in this period">
      {event === ANY_EVENT ? 'No event occurred' : 'No event of this name occurred'}. Upper and lower case differ.{' '}
      <a href={hrefWith(view, { event: null, mode: null, group_by: null })}>See the names that occurred</a>
    </Nothing>
  )
}
