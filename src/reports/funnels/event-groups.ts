import type { Grouping } from '../../selection/grouping.ts'
import type { PickedEvents } from '../../selection/selection.ts'
import type { EventGroups } from './entry-groups.ts'

/**
 * Tells the groups of picked events. They are not left out for their group, as a selection would: an entry of a group that
 * nobody asks for is an entry all the same. Its ordinals are overwritten when the next events are asked for.
 */
export function eventGroupsOf(grouping: Grouping): (events: PickedEvents) => EventGroups {
  let ordinals = new Uint32Array(0)
  return ({ leaf, places, from, to }) => {
    const { codes, table } = grouping.of(leaf)
    if (ordinals.length < to) ordinals = new Uint32Array(to)
    for (let event = from; event < to; event++) {
      const place = places ? (places[event] as number) : event
      ordinals[event] = table[codes[place] as number] as number
    }
    let valuesOf: ReturnType<Grouping['valuesIn']> | undefined
    return {
      ordinals,
      valuesAt(event) {
        const code = codes[places ? (places[event] as number) : event] as number
        return () => {
          valuesOf ??= grouping.valuesIn(leaf)
          return valuesOf(code)
        }
      },
    }
  }
}
