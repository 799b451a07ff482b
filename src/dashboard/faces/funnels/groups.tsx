import { previousPeriod } from '../../figures/comparison.ts'
import { dashedNote, othersOf } from '../../figures/declared.ts'
import { changeColumn, FigureTable } from '../../figures/figure-table.tsx'
import { type UsersHref, usersOfGroup } from '../../figures/figure-users.ts'
import { Spark } from '../../figures/spark.tsx'
import { Figure, numberColumn } from '../../figures/table.tsx'
import { groupsOf } from '../../forms/question-form.tsx'
import { endsToday, type View } from '../../request/address.ts'
import { toPercent } from '../../words/format.ts'
import { labelOfGroup, labelOfGrouping } from '../../words/labels.ts'
import { type FunnelFigures, isAnyOrder, type ShownFunnel } from './question.ts'
import type { FunnelTrend } from './trend.tsx'

interface GroupsShown extends Pick<FunnelFigures, 'labels' | 'groups' | 'groupsTotal' | 'before'> {
  readonly trend: FunnelTrend | null
  readonly view: View
  readonly usersHref: UsersHref
}

export function FunnelGroups({ view, labels, groups, groupsTotal, before, trend, usersHref }: GroupsShown) {
  const properties = groupsOf(view)
  const title = labelOfGrouping(properties)
  const isOpen = endsToday(view)
  const lines = new Map(trend?.series.map(({ name, percents }) => [name, percents]))
  return (
    <section class="card">
      <h2>{`By ${title}`}</h2>
      <FigureTable
        label={`Funnel by ${title}`}
        kind="compared"
        isTall
        of={title}
        rows={groups}
        nameOf={({ name }) => <bdi title={labelOfGroup(properties, name)}>{labelOfGroup(properties, name)}</bdi>}
        columns={[
          ...labels.map((label, place) => ({
            head: numberColumn(<bdi title={label}>{isAnyOrder(view) ? label : `${place + 1}. ${label}`}</bdi>),
            draw: ({ name, steps }: ShownFunnel) => {
              const { users = 0, step, conversion_from_start: conversion = 0 } = steps[place] ?? {}
              return (
                <>
                  {place > 0 && <strong>{toPercent(conversion)} </strong>}
                  <span class={place > 0 ? 'hint' : undefined}>
                    <Figure value={users} users={usersOfGroup(usersHref, { step }, properties, name)} />
                  </span>
                </>
              )
            },
          })),
          ...(before
            ? [
                changeColumn(
                  ({ change, isNew }: ShownFunnel) => ({ change: isNew ? null : change }),
                  'Converted, change',
                ),
              ]
            : []),
          ...(trend
            ? [
                {
                  head: {
                    label: `Conversion by ${trend.interval}`,
                    class: 'trend',
                    title: isOpen ? dashedNote(trend.interval) : undefined,
                  },
                  draw: ({ name }: ShownFunnel) => <GroupTrend percents={lines.get(name) ?? []} isOpen={isOpen} />,
                },
              ]
            : []),
        ]}
        others={othersOf({ groups_total: groupsTotal }, groups.length)}
      />
      <p class="hint">
        {`Conversion rate from the group's first step, then users. Each user counts in one group: that of the attempt that got furthest.`}
        {before && ` Change: vs ${previousPeriod(view)}.`}
        {groupsTotal > groups.length && ` The ${groups.length} groups with most conversions.`}
      </p>
    </section>
  )
}

function GroupTrend({ percents, isOpen }: { percents: readonly (number | null)[]; isOpen: boolean }) {
  const known = percents.filter((percent) => percent !== null)
  const [first, last] = [known[0], known.at(-1)]
  if (known.length < 2 || first === undefined || last === undefined) return <>–</>
  return <Spark data={percents} isOpen={isOpen} label={`From ${toPercent(first)} to ${toPercent(last)}`} />
}
