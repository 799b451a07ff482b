import { type Event, type EventProperties, OTHER_NAME, type PropertyName } from '../base/event.ts'
import type { BatchDatabase } from '../storage/database.ts'
import { findKnownContexts, findKnownNames, keyOfContext, keyOfName } from './known/known.ts'
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
  const names = await findKnownNames(db, items.filter(isOverNames).map(nameOf))
  const contexts = await findLesser(items.filter(isOverContexts), db)
  return items.map((item) => {
    const isNewName = isOverNames(item) && !names.has(keyOfName(nameOf(item)))
    const event = isNewName ? { ...item.event, name: OTHER_NAME } : item.event
    return { ...item, event, context: contexts.get(item) }
  })
}

function nameOf({ applicationId, event: { name } }: Collected) {
  return { applicationId, name }
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
  const known = await findKnownContexts(
    db,
    items.map(({ applicationId, event }) => keyFor(applicationId, event.properties)),
  )
  const isKnown = (item: C, properties: EventProperties, among = known) =>
    among.has(keyOfContext(keyFor(item.applicationId, properties)))
  const tries = items
    .filter((item) => !isKnown(item, item.event.properties))
    .map((item) => ({ item, lesser: lesserOf(item.event) }))
  const keys = tries.flatMap(({ item, lesser }) => lesser.map((properties) => keyFor(item.applicationId, properties)))
  const knownLesser = await findKnownContexts(db, keys)
  return new Map(
    tries.map(({ item, lesser }) => {
      const least = lesser.at(-1) ?? item.event.properties
      return [item, lesser.find((properties) => isKnown(item, properties, knownLesser)) ?? least]
    }),
  )
}

function keyFor(applicationId: number, properties: EventProperties) {
  return { applicationId, fingerprint: fingerprintOf(properties) }
}

/** Without one property, then without more and more of them; the last one only says whether it was verified. */
function lesserOf({ properties }: Event): EventProperties[] {
  const said = LOSABLE.filter((name) => properties[name] !== null)
  const one = said.map((name) => without(properties, [name]))
  const more = said.map((_, index) => without(properties, said.slice(0, index + 1)))
  return [...one, ...more.slice(1)]
}

function without(properties: EventProperties, names: readonly PropertyName[]): EventProperties {
  return { ...properties, ...Object.fromEntries(names.map((name) => [name, null])) }
}
