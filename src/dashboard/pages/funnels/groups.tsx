import { previousPeriod } from '../../comparison.ts'
import { MAX_GROUPS } from '../../components/question-form.tsx'
import { Change } from '../../components/stat-tiles.tsx'
import { Figure, ListTable, numberColumn } from '../../components/table.tsx'
import { toPercent } from '../../format.ts'
import { labelOfGroup, labelOfGrouping } from '../../labels.ts'
import type { View } from '../../view.ts'
import { isAnyOrder, type ShownFunnel } from './question.ts'

interface FunnelGroupsShown {
  readonly view: View
  readonly labels: readonly string[]
  readonly groups: readonly ShownFunnel[]
  /** All users in the time before; null where nothing is compared. */
  readonly before: ShownFunnel | null
  /** The properties that are grouped by. */
  readonly properties: readonly string[]
}

/** How far each group got, side by side. */
export function FunnelGroups({ view, labels, groups, before, properties }: FunnelGroupsShown) {
  const title = labelOfGrouping(properties)
  return (
    <section class="card">
      <h2>{`By ${title.toLowerCase()}`}</h2>
      <ListTable
        label={`ShownFunnel by ${title.toLowerCase()}`}
        kind="compared"
        isTall
        columns={[
          { label: title, class: 'pinned' },
          ...labels.map((label, place) =>
            numberColumn(<bdi title={label}>{isAnyOrder(view) ? label : `${place + 1}. ${label}`}</bdi>),
          ),
          ...(before ? [numberColumn('Converted, change')] : []),
        ]}
      >
        {groups.map(({ name, steps, change, isNew }) => (
          <tr>
            <th scope="row" class="pinned">
              <bdi title={labelOfGroup(properties, name)}>{labelOfGroup(properties, name)}</bdi>
            </th>
            {steps.map(({ users, conversion_from_start: conversion }, place) => (
              <td class="number">
                {place > 0 && <strong>{toPercent(conversion)} </strong>}
                <span class={place > 0 ? 'hint' : undefined}>
                  <Figure value={users} />
                </span>
              </td>
            ))}
            {before && (
              <td class="number">
                <Change ifNew="New" change={change} isNew={isNew} />
              </td>
            )}
          </tr>
        ))}
      </ListTable>
      <p class="hint">
        {`Percent of the group's users of the first step, and users. Each user counts in one group: that of the attempt that got furthest.`}
        {before && ` Change: vs ${previousPeriod(view)}.`}
        {groups.length === MAX_GROUPS && ` Top ${MAX_GROUPS} groups by conversions.`}
      </p>
    </section>
  )
}
