import { MAX_GROUPS } from '../../../columns/selection/filter.ts'
import { previousPeriod } from '../../figures/comparison.ts'
import { type UsersHref, usersOfGroup } from '../../figures/figure-users.ts'
import { Spark } from '../../figures/spark.tsx'
import { Change } from '../../figures/stat-tiles.tsx'
import { Figure, ListTable, numberColumn } from '../../figures/table.tsx'
import type { View } from '../../request/address.ts'
import { toPercent } from '../../words/format.ts'
import { labelOfGroup, labelOfGrouping } from '../../words/labels.ts'
import { type FunnelFigures, isAnyOrder } from './question.ts'
import type { FunnelTrend } from './trend.tsx'

interface GroupsShown extends Pick<FunnelFigures, 'labels' | 'groups' | 'before'> {
  readonly trend: FunnelTrend | null
  readonly view: View
  readonly properties: readonly string[]
  readonly usersHref: UsersHref
}

export function FunnelGroups({ view, labels, groups, before, trend, properties, usersHref }: GroupsShown) {
  const title = labelOfGrouping(properties)
  const lines = new Map(trend?.series.map(({ name, percents }) => [name, percents]))
  return (
    <section class="card">
      <h2>{`By ${title}`}</h2>
      <ListTable
        label={`Funnel by ${title}`}
        kind="compared"
        isTall
        columns={[
          { label: title, class: 'pinned' },
          ...labels.map((label, place) =>
            numberColumn(<bdi title={label}>{isAnyOrder(view) ? label : `${place + 1}. ${label}`}</bdi>),
          ),
          ...(before ? [numberColumn('Converted, change')] : []),
          ...(trend ? [{ label: `Conversion by ${trend.interval}`, class: 'trend' }] : []),
        ]}
      >
        {groups.map(({ name, steps, change, isNew }) => (
          <tr>
            <th scope="row" class="pinned">
              <bdi title={labelOfGroup(properties, name)}>{labelOfGroup(properties, name)}</bdi>
            </th>
            {steps.map(({ users, step, conversion_from_start: conversion }, place) => (
              <td class="number">
                {place > 0 && <strong>{toPercent(conversion)} </strong>}
                <span class={place > 0 ? 'hint' : undefined}>
                  <Figure value={users} users={usersOfGroup(usersHref, { step }, properties, name)} />
                </span>
              </td>
            ))}
            {before && (
              <td class="number">
                <Change ifNew="New" change={change} isNew={isNew} />
              </td>
            )}
            {trend && (
              <td class="trend">
                <GroupTrend percents={lines.get(name) ?? []} />
              </td>
            )}
          </tr>
        ))}
      </ListTable>
      <p class="hint">
        {`Conversion rate from the group's first step, then users. Each user counts in one group: that of the attempt that got furthest.`}
        {before && ` Change: vs ${previousPeriod(view)}.`}
        {groups.length === MAX_GROUPS && ` Top ${MAX_GROUPS} groups by conversions.`}
      </p>
    </section>
  )
}

function GroupTrend({ percents }: { percents: readonly (number | null)[] }) {
  const known = percents.filter((percent) => percent !== null)
  const [first, last] = [known[0], known.at(-1)]
  if (known.length < 2 || first === undefined || last === undefined) return <>–</>
  return <Spark data={percents} label={`From ${toPercent(first)} to ${toPercent(last)}`} />
}
