import type { Child } from 'hono/jsx'
import type { PathTransition } from '../../../questions/paths/contract.ts'
import { COUNT } from '../../figures/declared.ts'
import { BarTable } from '../../figures/figure-table.tsx'
import { numberColumn, UsersLink } from '../../figures/table.tsx'
import { hrefWith, type View } from '../../request/address.ts'
import { counted, toCount, toShare } from '../../words/format.ts'
import { totalOf } from './flow.ts'
import { isBackwards, labelOf, type PathFiguresShown, pathsAction, type UsersOf, usersOfNames } from './names.ts'

/** Unfolded at first. */
const SHOWN = { origins: 4, targets: 6 }

/** Every transition of the answer, step by step. */
export function PathTables({ view, transitions, usersHref }: PathFiguresShown & { view: View }) {
  const usersOf = usersOfNames(usersHref, (at) => transitions.filter(({ step }) => step === at).map(({ to }) => to))
  return (
    <details class="card path-tables">
      <summary>Table: all steps</summary>
      <div class="grid">
        {[...Map.groupBy(transitions, ({ step }) => step)].map(([step, ofStep]) => (
          <section class="card path">
            <h2>{`Step ${step}`}</h2>
            <Origins view={view} transitions={ofStep} usersOf={usersOf} />
          </section>
        ))}
      </div>
    </details>
  )
}

interface TransitionsShown {
  readonly view: View
  readonly transitions: readonly PathTransition[]
  readonly usersOf: UsersOf
}

function Origins({ transitions, ...shown }: TransitionsShown) {
  const origins = [...Map.groupBy(transitions, ({ from }) => from)]
    .toSorted(([, a], [, b]) => totalOf(b) - totalOf(a))
    .map(([from, targets]) => <Origin from={from} transitions={targets} {...shown} />)
  const rest = origins.slice(SHOWN.origins)
  return (
    <>
      {origins.slice(0, SHOWN.origins)}
      {rest.length > 0 && <Folded label={`From ${counted(rest.length, 'other event')}`}>{rest}</Folded>}
    </>
  )
}

function Folded({ label, children }: { label: string; children: Child }) {
  return (
    <details>
      <summary>{label}</summary>
      {children}
    </details>
  )
}

function Origin({ from, transitions, ...shown }: TransitionsShown & { from: string }) {
  const all = { from, whole: totalOf(transitions), ...shown }
  const rest = transitions.slice(SHOWN.targets)
  return (
    <>
      <h3>
        {isBackwards(shown.view) ? 'Before ' : 'After '}
        <Name view={shown.view} name={from} />
      </h3>
      <Targets {...all} transitions={transitions.slice(0, SHOWN.targets)} />
      {rest.length > 0 && (
        <Folded label={`${toCount(rest.length)} more`}>
          <Targets {...all} transitions={rest} />
        </Folded>
      )}
    </>
  )
}

function Targets({ view, usersOf, from, transitions, whole }: TransitionsShown & { from: string; whole: number }) {
  return (
    <BarTable
      title="Event"
      label={`${isBackwards(view) ? 'Before' : 'After'} ${labelOf(view, from)}`}
      rows={transitions}
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
