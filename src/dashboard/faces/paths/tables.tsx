import type { PathTransition } from '../../../questions/paths/contract.ts'
import { Bar, BarsHead } from '../../figures/bars.tsx'
import { NumberCell, numberColumn, UsersLink } from '../../figures/table.tsx'
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
    <table class="bars" aria-label={`${isBackwards(view) ? 'Before' : 'After'} ${labelOf(view, from)}`}>
      <colgroup>
        <col />
        <col class="times" />
        <col class="times" />
        <col class="part" />
      </colgroup>
      <BarsHead title="Event" columns={['Users', 'Times', 'Share'].map(numberColumn)} />
      <tbody>
        {targets.map((transition) => (
          <tr>
            <th scope="row">
              <Bar part={transition.count} whole={whole} />
              <Name view={view} name={transition.to} />
            </th>
            <td class="number">
              <UsersLink users={usersOf(transition)}>{toCount(transition.users)}</UsersLink>
            </td>
            <NumberCell value={transition.count} />
            <td class="number share">{toShare(transition.count, whole)}</td>
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
