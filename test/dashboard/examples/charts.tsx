import { ReportCard } from '../../../src/dashboard/cards/card.tsx'
import { DayStrip } from '../../../src/dashboard/faces/user/days.tsx'
import { COUNT, money, PERCENT, SECONDS } from '../../../src/dashboard/figures/declared.ts'
import { Plot } from '../../../src/dashboard/figures/plot.tsx'
import type { PlottedSeries } from '../../../src/dashboard/figures/plot-drawing.tsx'
import { Spark } from '../../../src/dashboard/figures/spark.tsx'
import { type Stat, StatTiles } from '../../../src/dashboard/figures/stat-tiles.tsx'
import { IntervalSwitch } from '../../../src/dashboard/forms/segments.tsx'
import { Tabs } from '../../../src/dashboard/forms/tabs.tsx'
import { toWeekday } from '../../../src/dashboard/words/format.ts'
import { Example, HEBREW, LONG, lastDays, usersAt, viewOf, wave } from './frame.tsx'

const DAYS = lastDays(30)
const NAMES = ['Russia', 'Indonesia', HEBREW, LONG, 'Brazil', 'Kenya', 'Peru', 'Chad']

export function Charts() {
  return (
    <>
      <Tiles />
      <Lines />
      <Bars />
      <Small />
      <Cards />
    </>
  )
}

function Tiles() {
  const stats: Stat[] = [
    { label: 'Active users', unit: COUNT, value: 1433, change: 13, href: '?metric=users', isCurrent: true },
    { label: 'Sessions', unit: COUNT, value: 5526, change: -11, href: '?metric=sessions' },
    { label: 'DAU/MAU', unit: PERCENT, value: 11, change: -0.4, isPoints: true, users: usersAt() },
    { label: 'Average session', unit: SECONDS, value: 34, change: 0 },
    { label: 'New users', unit: COUNT, value: 1082, change: null },
    { label: 'Revenue', unit: money('EUR'), value: 41230.5, change: null },
  ]
  const bad: Stat[] = [
    { label: 'Blocked', unit: COUNT, value: 12, change: 20, rise: 'bad', users: usersAt() },
    { label: 'Refunds', unit: money('XTR'), value: 250, change: -50, rise: 'bad' },
    { label: 'Peak', unit: COUNT, value: 4, change: 33, rise: 'neutral' },
  ]
  return (
    <>
      <Example title="Tiles in a row: more, less, points, the same, from nothing, without earlier data">
        <StatTiles stats={stats} vs="previous 30 days" isRow />
      </Example>
      <Example title="Tiles whose rise is bad, or neither">
        <StatTiles stats={bad} vs="previous 30 days" />
      </Example>
      <Example title="Tiles that nothing is compared with">
        <StatTiles stats={[{ label: LONG, unit: COUNT, value: 1_234_567_890 }]} vs="previous 30 days" />
      </Example>
    </>
  )
}

interface DrawnShown {
  readonly title: string
  readonly series: readonly PlottedSeries[]
  readonly labels?: readonly string[]
  readonly kind?: 'lines' | 'stack'
}

function Drawn({ title, series, labels = DAYS, kind = 'lines' }: DrawnShown) {
  return (
    <Example title={title}>
      <Plot {...{ title, kind, labels, series }} of="Day" toLabel={toWeekday} unit={COUNT} isOpen>
        <IntervalSwitch view={viewOf()} offered={['hour', 'day', 'week']} current="day" />
      </Plot>
    </Example>
  )
}

function Lines() {
  const now = { name: 'Active users', data: wave(30, 150), usersAt }
  const before = { name: 'Previous period', data: wave(30, 120), times: DAYS, isBefore: true }
  const lines = NAMES.map((name, place) => ({ name, data: wave(30, 40 * (place + 1)), isUndrawn: place >= 6 }))
  const gaps = wave(30, 90).map((value, index) => (index % 7 < 2 ? null : value))
  return (
    <>
      <Drawn title="A line and the period before; today is not over" series={[now, before]} />
      <Drawn title="More lines than there are colours" series={lines} />
      <Drawn title="A line with gaps" series={[{ name: 'Conversion', data: gaps }]} />
      <Drawn title="Zero on all days" series={[{ name: 'Sessions', data: DAYS.map(() => 0) }]} />
      <Drawn title="One day" series={[{ name: 'Active users', data: [7] }]} labels={DAYS.slice(-1)} />
      <Example title="Percent by hour">
        <Plot
          title="Conversion"
          kind="lines"
          unit={PERCENT}
          of="Hour"
          labels={Array.from({ length: 24 }, (_, hour) => `${hour}:00`)}
          series={[{ name: 'Conversion', data: wave(24, 50) }]}
        />
      </Example>
    </>
  )
}

function Bars() {
  const [back, fresh, gone] = [60, 20, 40].map((size) => wave(30, size))
  const series = [
    { name: 'Returning', data: back ?? [], usersAt },
    { name: 'New', data: fresh ?? [] },
    { name: 'Dormant', data: gone ?? [], isBelow: true },
  ]
  return <Drawn title="Bars on one another, and below zero" kind="stack" series={series} />
}

function Small() {
  const tabs = ['Countries', 'Cities', 'Languages'].map((label) => ({ name: label, label }))
  const days = { xValues: { data: lastDays(90) }, yValues: [{ data: wave(90, 3), key_value: 270 }] }
  return (
    <>
      <Example title="Lines without names: up and down, with gaps, none">
        {[wave(30, 5), [1, null, 3], []].map((data) => (
          <Spark data={data} />
        ))}
        <Spark data={[3, null, 5, 4]} label="From 3% to 4%" />
      </Example>
      <Example title="Tabs of a card, the second chosen">
        <Tabs view={viewOf('?tab=Cities')} label="Locations" id="locations" tabs={tabs} />
      </Example>
      <Example title="Days of a user">
        <DayStrip days={days as Parameters<typeof DayStrip>[0]['days']} />
      </Example>
    </>
  )
}

const BUSY = { status: 503, sentence: 'This question took too long. Choose a shorter period.', faults: [] } as const

function Cards() {
  const line = { name: 'Conversion', group: null, data: wave(30, 20), total: null }
  const chart = { labels: DAYS, lines: [line], unit: PERCENT, isOpen: true }
  const lines = NAMES.map((name, place) => ({
    ...line,
    name,
    group: name,
    total: { label: name, unit: PERCENT, value: 10 - place, change: place - 1 },
  }))
  const rows = NAMES.slice(0, 3).map((name, place) => ({ name, value: 30 - place, users: null, group: null }))
  const list = { of: 'Event', figure: { label: 'Users', unit: COUNT }, rows, total: 12, whole: 240 }
  const figures = {
    headlines: [{ label: 'Conversion', unit: PERCENT, value: 19.5, change: -0.4, isPoints: true }],
    chart,
  }
  const states = [
    { name: 'Lines', drawn: { data: figures, problem: null } },
    { name: 'Groups', drawn: { data: { ...figures, chart: { ...chart, lines, others: 14 } }, problem: null } },
    { name: 'Rows', drawn: { data: { headlines: [], list }, problem: null } },
    { name: 'No event in the period', drawn: { data: { ...figures, chart: { ...chart, lines: [] } }, problem: null } },
    { name: 'Nothing asked', drawn: { data: null, problem: null } },
    { name: 'Too slow', drawn: { data: null, problem: BUSY } },
    { name: 'Not shown', drawn: { data: null, problem: null }, note: 'Fewer than five users.' },
  ]
  return (
    <Example title="Saved reports as cards">
      <div class="pairs">
        {states.map(({ name, ...shown }) => (
          <ReportCard card={{ name, kind: 'Funnels', view: viewOf() }} href={`#${name}`} filters={[LONG]} {...shown} />
        ))}
      </div>
    </Example>
  )
}
