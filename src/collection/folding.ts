import { type Event, type EventProperties, OTHER_NAME, type PropertyName } from '../base/event.ts'
import type { BatchDatabase } from '../storage/database.ts'
import { findKnown } from './known/known.ts'
import { type Collected, fingerprintOf } from './rows.ts'

/**
 * Folds events that came over a quota: one with a new name counts under `(other)`, one with a new context loses the property that
 * makes it new. Known names and contexts stay. The statements that store events recognise those under `(other)`, so an event counts
 * once even if its name is stored meanwhile.
 */
export async function withoutNew<C extends Collected>(items: readonly C[], db: BatchDatabase): Promise<readonly C[]> {
  const isOverNames = ({ spent }: C) => spent?.includes('newNames') === true
  const isOverContexts = ({ spent }: C) => spent?.includes('newContexts') === true
  if (!items.some((item) => isOverNames(item) || isOverContexts(item))) return items
  const names = items.filter(isOverNames).map(({ applicationId, event }) => [applicationId, event.name] as const)
  const isKnownName = await findKnown(db, 'name', names)
  const contexts = await findLesser(items.filter(isOverContexts), db)
  return items.map((item) => {
    const isNewName = isOverNames(item) && !isKnownName(item.applicationId, item.event.name)
    const event = isNewName ? { ...item.event, name: OTHER_NAME } : item.event
    return { ...item, event, context: contexts.get(item) }
  })
}

/** What an event may lose, from the property that takes the most values to the one that takes the fewest. */
const LOSABLE = [
  'startParameter',
  'model',
  'city',
  'brand',
  'os',
  'device',
  'language',
  'country',
  'referrerType',
  'writeAccess',
  'isPremium',
] as const satisfies readonly PropertyName[]

/** For each item whose context is new: the most that it may say without making a context. */
async function findLesser<C extends Collected>(
  items: readonly C[],
  db: BatchDatabase,
): Promise<Map<C, EventProperties>> {
  const keyOf = ({ applicationId }: C, properties: EventProperties) =>
    [applicationId, fingerprintOf(properties)] as const
  const isKnown = await findKnown(
    db,
    'context',
    items.map((item) => keyOf(item, item.event.properties)),
  )
  const tries = items
    .filter((item) => !isKnown(...keyOf(item, item.event.properties)))
    .map((item) => ({ item, lesser: lesserOf(item.event) }))
  const keys = tries.flatMap(({ item, lesser }) => lesser.map((properties) => keyOf(item, properties)))
  const isKnownLesser = await findKnown(db, 'context', keys)
  return new Map(
    tries.map(({ item, lesser }) => {
      const least = lesser.at(-1) ?? item.event.properties
      return [item, lesser.find((properties) => isKnownLesser(...keyOf(item, properties))) ?? least]
    }),
  )
}

/** Without one property, then without more and more of them; the last one only says whether it was verified. */
function lesserOf({ properties }: Event): EventProperties[] {
  const given = LOSABLE.filter((name) => properties[name] !== null)
  const one = given.map((name) => without(properties, [name]))
  const more = given.map((_, index) => without(properties, given.slice(0, index + 1)))
  return [...one, ...more.slice(1)]
}

function without(properties: EventProperties, names: readonly PropertyName[]): EventProperties {
  return { ...properties, ...Object.fromEntries(names.map((name) => [name, null])) }
}
