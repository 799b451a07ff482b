import { ShortChange } from './components/stat-tiles.tsx'
import { counted, toCount, toPercent } from './format.ts'
import { type Funnel, isAnyOrder } from './funnel-question.ts'
import { labelOfGroup, labelOfGrouping, MAX_GROUPS } from './group-labels.ts'
import { spanBefore } from './time-before.ts'
import type { View } from './view.ts'

interface FunnelGroupsShown {
  readonly view: View
  readonly labels: readonly string[]
  readonly groups: readonly Funnel[]
  /** All users in the time before; null where nothing is compared. */
  readonly before: Funnel | null
  /** The properties that are grouped by. */
  readonly properties: readonly string[]
}

/** How far each group got, side by side. */
export function FunnelGroups({ view, labels, groups, before, properties }: FunnelGroupsShown) {
  const title = labelOfGrouping(properties)
  return (
    <section class="card">
      <h2>{`By ${title.toLowerCase()}`}</h2>
      <section class="scroll tall" tabindex={0} aria-label={`Funnel by ${title.toLowerCase()}`}>
        <table class="list compared">
          <thead>
            <tr>
              <th scope="col" class="pinned">
                {title}
              </th>
              {labels.map((label, place) => (
                <th scope="col" class="number">
                  <bdi title={label}>{isAnyOrder(view) ? label : `${place + 1}. ${label}`}</bdi>
                </th>
              ))}
              {before && (
                <th scope="col" class="number">
                  Completed, change
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {groups.map(({ name, steps, change, isNew }) => (
              <tr>
                <th scope="row" class="pinned">
                  <bdi title={labelOfGroup(properties, name)}>{labelOfGroup(properties, name)}</bdi>
                </th>
                {steps.map(({ users, conversion_from_start: conversion }, place) => (
                  <td class="number">
                    {place > 0 && <strong>{toPercent(conversion)} </strong>}
                    <span class={place > 0 ? 'hint' : undefined}>
                      <data value={String(users)}>{toCount(users)}</data>
                    </span>
                  </td>
                ))}
                {before && (
                  <td class="number">
                    <ShortChange change={change} isNew={isNew} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="hint">
        {`In percent of the group's users of the first step, and how many. A user is in one group: that of the attempt that got furthest.`}
        {before && ` Change: against ${spanBefore(view)}.`}
        {groups.length === MAX_GROUPS && ` The ${counted(MAX_GROUPS, 'group')} in which most completed are shown.`}
      </p>
    </section>
  )
}
