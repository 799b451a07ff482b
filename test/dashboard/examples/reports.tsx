import { FunnelGroups } from '../../../src/dashboard/faces/funnels/groups.tsx'
import { Guesses } from '../../../src/dashboard/faces/funnels/guesses.tsx'
import { FunnelSteps } from '../../../src/dashboard/faces/funnels/steps.tsx'
import { ConversionTimes } from '../../../src/dashboard/faces/funnels/times.tsx'
import { PathsDrawing } from '../../../src/dashboard/faces/paths/drawing.tsx'
import { END, OTHER } from '../../../src/dashboard/faces/paths/question.ts'
import { Triangle } from '../../../src/dashboard/faces/retention/triangle.tsx'
import { TrendLegend } from '../../../src/dashboard/faces/trends/legend.tsx'
import { BarList } from '../../../src/dashboard/figures/bars.tsx'
import { COUNT } from '../../../src/dashboard/figures/declared.ts'
import { Plot } from '../../../src/dashboard/figures/plot.tsx'
import { toShare } from '../../../src/dashboard/words/format.ts'
import { Example, HEBREW, HOME, LONG, lastDays, usersAt, viewOf, wave } from './frame.tsx'

export function Reports() {
  return (
    <>
      <Lists />
      <Funnels />
      <Series />
      <Retention />
      <Paths />
    </>
  )
}

function Lists() {
  const rows = [
    { label: 'Russia', value: 315, href: '?country=ru', action: 'only these users', users: usersAt() },
    { label: LONG, value: 120, href: '?country=long', action: 'only these users' },
    { label: HEBREW, value: 40 },
    { label: '(none)', value: 0 },
  ]
  return (
    <div class="pairs">
      <Example title="Bars with shares">
        <BarList title="Countries" rows={rows} of="Users" whole={475} nothing="" />
      </Example>
      <Example title="No bars">
        <BarList title="Cities" rows={[]} of="Users" nothing="No cities in this period." />
      </Example>
    </div>
  )
}

function stepsOf(counts: readonly number[]) {
  return counts.map((users, place) => ({
    group: '',
    step: place + 1,
    event: ['Product viewed', LONG, HEBREW, 'Order paid'][place] ?? '',
    users,
    conversion_from_start: (100 * users) / (counts[0] || 1),
    conversion_from_previous: (100 * users) / (counts[place - 1] || users || 1),
    median_seconds: place > 0 && users > 0 ? 47 : null,
    average_seconds: place > 0 && users > 0 ? 125 : null,
  }))
}

function Funnels() {
  const shown = {
    home: HOME,
    usersHref: usersAt,
    names: ['Order paid today'],
    labels: ['1 event', '2 events', '3 events', '4 events'],
  }
  const distribution = [12, 0, 90, 64].map((users, place) => ({ from_seconds: [0, 10, 60, 3600][place] ?? 0, users }))
  const time = { group: 'All users', median_seconds: 49, average_seconds: 412.5, distribution }
  const funnel = { change: -4, isNew: false, steps: stepsOf([853, 249, 166]), time }
  const groups = ['Russia', LONG].map((name) => ({ ...funnel, name }))
  const trend = {
    interval: 'day' as const,
    parts: [],
    labels: [],
    series: [{ name: 'Russia', percents: [10, 20, 15] }],
  }
  const guesses = [
    { steps: ['Product viewed', 'Order paid'], users: [853, 166] },
    { steps: [LONG, HEBREW, 'Order paid'], users: [90, 40, 1] },
  ]
  return (
    <>
      <Example title="A funnel: the largest loss, little that is not nothing, an unknown event">
        <FunnelSteps view={viewOf()} steps={stepsOf([853, 249, 1, 0])} unknown={new Set(['Order paid'])} {...shown} />
      </Example>
      <Example title="A funnel in any order">
        <FunnelSteps view={viewOf('?order=any')} steps={stepsOf([853, 249])} unknown={new Set()} {...shown} />
      </Example>
      <Example title="A funnel by a property">
        <FunnelGroups
          {...shown}
          {...{ groups, trend }}
          groupsTotal={94}
          view={viewOf('/funnels?group_by=country')}
          before={groups[0] ?? null}
        />
      </Example>
      <Example title="How long users took to convert">
        <ConversionTimes {...time} />
      </Example>
      <Example title="A funnel that nobody completed">
        <ConversionTimes {...time} distribution={[]} />
      </Example>
      <Example title="Funnels that are offered">
        <Guesses view={viewOf('/funnels')} guesses={guesses} />
      </Example>
      <Example title="No funnel to offer">
        <Guesses view={viewOf('/funnels')} guesses={[]} />
      </Example>
    </>
  )
}

function Series() {
  const names = ['Russia', LONG, HEBREW]
  const series = names.map((name, place) => ({ name, data: wave(30, 20 * (place + 1)) }))
  const rows = series.map(({ name, data }, place) => ({
    name,
    group: name,
    data,
    total: { label: name, unit: COUNT, value: 600 * (place + 1), change: 19 * (place - 1), users: usersAt() },
    compared: null,
  }))
  const legend = (
    <TrendLegend view={viewOf('/trends?group_by=country')} rows={rows} others={{ count: 74 }} isComparable isOpen />
  )
  return (
    <Example title="Series whose legend is a table">
      <Plot title="Order paid" kind="lines" of="Day" labels={lastDays(30)} {...{ series, legend }} unit={COUNT} />
    </Example>
  )
}

const COHORTS = { '2026-10-26': 262, '2026-11-02': 240, '2026-11-09': 0, '2026-11-16': 310 }

function Retention() {
  const matrix = {
    cohorts: COHORTS,
    totalUsers: 812,
    combinedRetention: [100, 29.9, 13, 10.3],
    combinedComplete: [true, true, true, false],
    retentionMatrix: [['100', '31.7', '13', '10.3'], ['100', '28', '15'], ['0', '0'], ['100']],
  }
  const shown = { usersHref: usersAt, interval: 'week' as const, isOpen: true }
  return ['percent', 'users'].map((cells) => (
    <Example title={`A triangle of ${cells === 'users' ? 'users' : 'percentages'}`}>
      <Triangle
        title="Retention"
        matrix={matrix as Parameters<typeof Triangle>[0]['matrix']}
        view={viewOf(`/retention?cells=${cells}`)}
        {...shown}
      />
    </Example>
  ))
}

function Paths() {
  const ways = [
    [1, 'Session start', 'Pageview', 400],
    [1, 'Session start', LONG, 90],
    [1, 'Session start', OTHER, 40],
    [1, 'Session start', END, 20],
    [2, 'Pageview', HEBREW, 210],
    [2, 'Pageview', END, 190],
    [2, LONG, HEBREW, 90],
  ] as const
  const transitions = ways.map(([step, from, to, count]) => ({ step, from, to, count, users: count }))
  return ['after', 'before'].map((direction) => (
    <Example title={`Paths ${direction} an event; ${toShare(20, 550)} leave at once`}>
      <PathsDrawing
        view={viewOf(`/paths?direction=${direction}`)}
        home={HOME}
        start="Session start"
        minShare={0}
        transitions={transitions}
        usersHref={usersAt}
      />
    </Example>
  ))
}
