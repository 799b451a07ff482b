import type { Columns, Segment } from '../../columns/columns.ts'
import { closedDictionary, type Dictionary, openDictionary } from '../../columns/selection/dictionary.ts'
import { type EventProperty, NONE } from '../../columns/selection/filter.ts'
import { type Grouping, groupingByCode, groupingByText } from '../../columns/selection/grouping.ts'
import { textOfJson } from '../../columns/selection/matching.ts'
import type { Share } from '../../columns/selection/share.ts'
import type { GroupValues } from '../engine/groups.ts'

/** The groups of single events. Only values of first events are looked up, however many a parameter has. */
export interface SegmentGroups {
  readonly groups: Pick<Grouping, 'count' | 'valuesOf' | 'isOverfull'>
  /** Returns a function from an event's index in a segment to its group's ordinal, or `OUTSIDE`. */
  of(segment: Segment): (index: number) => number
}

/** All groups or, by a parameter, those of a share, as many as there is room for. */
export function allGroups(
  columns: Columns,
  property: EventProperty,
  { share, room }: { share: Share; room: { groups: number; characters: number } },
): SegmentGroups {
  return property.of === 'params'
    ? groupsOfParam(property.name, openDictionary(share, room))
    : groupsOfRows(groupingByCode(columns, [property]))
}

/** The given groups only. */
export function chosenGroups(columns: Columns, property: EventProperty, groups: readonly GroupValues[]): SegmentGroups {
  const dictionary = closedDictionary(groups)
  return property.of === 'params'
    ? groupsOfParam(property.name, dictionary)
    : groupsOfRows(groupingByText(columns, [property], dictionary))
}

function groupsOfRows(grouping: Grouping): SegmentGroups {
  return {
    groups: grouping,
    of(segment) {
      const { codes, table } = grouping.of(segment)
      return (index) => table[codes[index] as number] as number
    },
  }
}

function groupsOfParam(name: string, dictionary: Dictionary): SegmentGroups {
  return {
    groups: dictionary,
    of(segment) {
      const param = segment.param(name)
      return (index) => {
        const json = param?.values[(param.codes[index] as number) - 1] ?? null
        return dictionary.ordinalOf([textOfJson(json) ?? NONE])
      }
    },
  }
}
