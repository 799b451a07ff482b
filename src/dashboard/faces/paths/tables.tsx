import type { PathTransition } from '../../../questions/paths/contract.ts'
import { COUNT } from '../../figures/declared.ts'
import { BarTable } from '../../figures/figure-table.tsx'
import { numberColumn, UsersLink } from '../../figures/table.tsx'
import { hrefWith, type View } from '../../request/address.ts'
import { counted, toCount, toShare } from '../../words/format.ts'
import {
  isBackwards,
  labelOf,
  type PathFiguresShown,
  pathsAction,
  type UsersOfTransition,
  usersOfTransition,
} from './names.ts'

/** Unfolded at first. */
const SHOWN = { origins: 4, targets: 6 }

/** Every transition of the answer, step by step. */
export function PathTables({ view, ...shown }: PathFiguresShown & { view: View }) {
  const usersOf = usersOfTransition(shown)
  const steps = [...Map.groupBy(shown.transitions, ({ step }) => step)]
  return (
    <details class="card path-tables">
      <summary>Table: all steps</summary>
      <div class="grid">
        {steps.map(([step, ofStep]) => (
          <section class="card path">
            <h2>{`Step ${step}`}</h2>
            <Origins view={view} transitions={ofStep} usersOf={usersOf} />
          </section>
        ))}
      </div>
    </details>
  )
}

interface OriginsShown {
  readonly view: View
  readonly transitions: readonly PathTransition[]
  readonly usersOf: UsersOfTransition
}

function Origins({ view, transitions, usersOf }: OriginsShown) {
  const origins = [...Map.groupBy(transitions, ({ from }) => from)]
    .map(([from, targets]) => ({ from, targets, count: targets.reduce((sum, { count }) => sum + count, 0) }))
    .sort((a, b) => b.count - a.count)
  const shown = origins.slice(0, SHOWN.origins).map((origin) => <Origin view={view} usersOf={usersOf} {...origin} />)
  const rest = origins.slice(SHOWN.origins).map((origin) => <Origin view={view} usersOf={usersOf} {...origin} />)
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

interface OriginShown extends Pick<OriginsShown, 'view' | 'usersOf'> {
  readonly from: string
  readonly targets: readonly PathTransition[]
  readonly count: number
}

function Origin({ view, usersOf, from, targets, count }: OriginShown) {
  const rest = targets.slice(SHOWN.targets)
  return (
    <>
      <h3>
        {isBackwards(view) ? 'Before ' : 'After '}
        <Name view={view} name={from} />
      </h3>
      <Targets view={view} usersOf={usersOf} from={from} targets={targets.slice(0, SHOWN.targets)} count={count} />
      {rest.length > 0 && (
        <details>
          <summary>{`${toCount(rest.length)} more`}</summary>
          <Targets view={view} usersOf={usersOf} from={from} targets={rest} count={count} />
        </details>
      )}
    </>
  )
}

function Targets({ view, usersOf, from, targets, count: whole }: OriginShown) {
  return (
    <BarTable
      title="Event"
      label={`${isBackwards(view) ? 'Before' : 'After'} ${labelOf(view, from)}`}
      rows={targets}
      sizeOf={({ count }) => count}
      whole={whole}
      nameOf={({ to }) => <Name view={view} name={to} />}
      columns={[
        {
          head: numberColumn('Users'),
          draw: (transition) => <UsersLink users={usersOf(transition)}>{toCount(transition.users)}</UsersLink>,
        },
        { label: 'Times', unit: COUNT, of: ({ count }) => count },
        { head: { label: 'Share', class: 'number share' }, draw: ({ count }) => toShare(count, whole) },
      ]}
    />
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
