import type { PathTransition } from '../../../questions/paths/contract.ts'
import { hrefWith } from '../../address.ts'
import { Bar } from '../../components/bars.tsx'
import { Nothing } from '../../components/empty.tsx'
import { Figure, HeadRow } from '../../components/table.tsx'
import { counted, toCount, toShare } from '../../format.ts'
import type { View } from '../../view.ts'

/** What an answer says where a session ends (going back: begins), and for all names that are not among the most frequent. */
const [END, OTHER] = ['(end)', '(other)']

/** So many stand open; the rest is one click away. */
const SHOWN = { origins: 4, targets: 6 }

interface PathFiguresShown {
  readonly view: View
  readonly transitions: readonly PathTransition[]
}

/** Step by step where paths went, each step a column of bars. */
export function PathFigures({ view, transitions }: PathFiguresShown) {
  if (transitions.length === 0) return <NoPaths view={view} />
  const steps = [...Map.groupBy(transitions, ({ step }) => step)]
  return (
    <>
      <p class="hint">
        Within a session (30 min of inactivity). Repeats of the same event count once. Click an event to{' '}
        {pathsAction(view)}.
      </p>
      <div class="grid">
        {steps.map(([step, ofStep]) => (
          <section class="card path">
            <h2>{`Step ${step}`}</h2>
            <Origins view={view} transitions={ofStep} />
          </section>
        ))}
      </div>
    </>
  )
}

export function isBackwards({ params }: Pick<View, 'params'>): boolean {
  return params.get('direction') === 'before'
}

/** What a click on an event does. */
export function pathsAction(view: Pick<View, 'params'>): string {
  return isBackwards(view) ? 'show the paths to it' : 'show the paths from it'
}

function NoPaths({ view }: { view: View }) {
  return (
    <Nothing view={view} title="No paths">
      {'No event '}
      <bdi class="name">{view.params.get('event')}</bdi>
      {view.filters.length > 0
        ? ' in this period matches these filters.'
        : ' in this period. Check its spelling, or choose a longer period.'}
    </Nothing>
  )
}

/** Names that a step begins at, the most frequent first. */
function Origins({ view, transitions }: PathFiguresShown) {
  const origins = [...Map.groupBy(transitions, ({ from }) => from)]
    .map(([from, targets]) => ({ from, targets, count: targets.reduce((sum, { count }) => sum + count, 0) }))
    .sort((a, b) => b.count - a.count)
  const shown = origins.slice(0, SHOWN.origins).map((origin) => <Origin view={view} {...origin} />)
  const rest = origins.slice(SHOWN.origins).map((origin) => <Origin view={view} {...origin} />)
  return (
    <>
      {shown}
      {rest.length > 0 && (
        <details>
          <summary>{`From ${counted(rest.length, 'other event')}`}</summary>
          {rest}
        </details>
      )}
    </>
  )
}

interface OriginShown extends Pick<PathFiguresShown, 'view'> {
  readonly from: string
  readonly targets: readonly PathTransition[]
  /** Of all targets. */
  readonly count: number
}

function Origin({ view, from, targets, count }: OriginShown) {
  const rest = targets.slice(SHOWN.targets)
  return (
    <>
      <h3>
        {isBackwards(view) ? 'Before ' : 'After '}
        <Name view={view} name={from} />
      </h3>
      <Targets view={view} from={from} targets={targets.slice(0, SHOWN.targets)} count={count} />
      {rest.length > 0 && (
        <details>
          <summary>{`${toCount(rest.length)} more`}</summary>
          <Targets view={view} from={from} targets={rest} count={count} />
        </details>
      )}
    </>
  )
}

function Targets({ view, from, targets, count: whole }: OriginShown) {
  return (
    <table class="bars" aria-label={`${isBackwards(view) ? 'Before' : 'After'} ${labelOf(view, from)}`}>
      <colgroup>
        <col />
        <col class="times" />
        <col class="part" />
      </colgroup>
      <thead class="unseen">
        <HeadRow columns={['Event', 'Times', 'Share']} />
      </thead>
      <tbody>
        {targets.map(({ to, count, users }) => (
          <tr title={`${counted(count, 'time')} by ${counted(users, 'user')}`}>
            <th scope="row">
              <Bar part={count} whole={whole} />
              <Name view={view} name={to} />
            </th>
            <td class="number">
              <Figure value={count} />
              <span class="unseen">{` by ${counted(users, 'user')}`}</span>
            </td>
            <td class="number share">{toShare(count, whole)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Name({ view, name }: { view: View; name: string }) {
  const label = labelOf(view, name)
  if (label !== name) return <em>{label}</em>
  return (
    <a href={hrefWith(view, { event: name })} aria-label={`${name}: ${pathsAction(view)}`}>
      <bdi title={name}>{name}</bdi>
    </a>
  )
}

/** What is no name of an event, in words. */
function labelOf(view: View, name: string): string {
  if (name === END) return isBackwards(view) ? 'Session start' : 'Exit'
  return name === OTHER ? 'Other events' : name
}
