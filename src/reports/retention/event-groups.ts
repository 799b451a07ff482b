import type { Columns, Leaf } from '../../columns/columns.ts'
import { closedDictionary, type Dictionary, openDictionary } from '../../selection/dictionary.ts'
import { type Grouping, groupingByContext, groupingByText } from '../../selection/grouping.ts'
import type { Share } from '../../selection/share.ts'
import { NONE, type Property } from '../filters/filter.ts'
import { textOfJson } from '../filters/matching.ts'
import type { GroupValues } from '../groups.ts'

/** The groups of single events, by ordinals: only those of first events are looked up, however many values a parameter has. */
export interface EventGroups extends Pick<Grouping, 'count' | 'valuesOf' | 'isOverfull'> {
  /** Of an event of a leaf, by its place, the ordinal of its group; `OUTSIDE` where nobody asks for it. */
  of(leaf: Leaf): (place: number) => number
}

/** All groups; of a parameter those of a share, as many as there is room for. */
export function allGroups(
  columns: Columns,
  property: Property,
  { share, room }: { share: Share; room: { groups: number; characters: number } },
): EventGroups {
  return property.of === 'params'
    ? groupsOfParam(property.name, openDictionary(share, room))
    : groupsOfContexts(groupingByContext(columns, [property]))
}

/** These groups and no others. */
export function chosenGroups(columns: Columns, property: Property, groups: readonly GroupValues[]): EventGroups {
  const dictionary = closedDictionary(groups)
  return property.of === 'params'
    ? groupsOfParam(property.name, dictionary)
    : groupsOfContexts(groupingByText(columns, [property], dictionary))
}

function groupsOfContexts(grouping: Grouping): EventGroups {
  return {
    count: grouping.count,
    valuesOf: grouping.valuesOf,
    isOverfull: false,
    of(leaf) {
      const { codes, table } = grouping.of(leaf)
      return (place) => table[codes[place] as number] as number
    },
  }
}

function groupsOfParam(name: string, dictionary: Dictionary): EventGroups {
  return {
    get count() {
      return dictionary.count
    },
    valuesOf: (ordinal) => dictionary.valuesOf(ordinal),
    get isOverfull() {
      return dictionary.isOverfull
    },
    of(leaf) {
      const param = leaf.param(name)
      return (place) => {
        const json = param?.values[(param.codes[place] as number) - 1] ?? null
        return dictionary.ordinalOf([textOfJson(json) ?? NONE])
      }
    },
  }
}
