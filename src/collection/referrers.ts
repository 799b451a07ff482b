import { bindingOf, databaseOf } from '../storage/activity.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import type { EventDestinations } from './destinations/destination.ts'
import { erasedReferrers, type StartParameter, textsGiven } from './erased-users/erased-referrers.ts'
import type { User } from './erased-users/erased-users.ts'
import { findKnown } from './known/known.ts'

interface Storing<Item> {
  readonly env: Env
  readonly directory: Database
  readonly destinations: EventDestinations
  mapStartParameters(item: Item, change: (startParameter: string) => string): Item
}

/**
 * Replaces the ids of erased users in the start parameters of items, for as long as these users have not come back. An erasure deletes
 * the user before it raises the fences, so whoever is found here did come back, or the batch meets a fence.
 */
export async function withoutErasedReferrers<Item extends { readonly applicationId: number }>(
  items: readonly Item[],
  { env, directory, destinations, mapStartParameters }: Storing<Item>,
): Promise<readonly Item[]> {
  const startParameters: StartParameter[] = []
  for (const item of items) {
    if ((destinations.get(item.applicationId)?.erasureKey ?? null) === null) continue
    const texts = textsGiven((change) => mapStartParameters(item, change))
    startParameters.push(...texts.map((text) => ({ applicationId: item.applicationId, text })))
  }
  if (startParameters.length === 0) return items
  const findBack = (users: readonly User[]) => findStored(users, { env, destinations })
  const withoutErased = await erasedReferrers(startParameters, { directory, keys: destinations }, findBack)
  return items.map((item) =>
    mapStartParameters(item, (text) => withoutErased({ applicationId: item.applicationId, text })),
  )
}

/** Whether users are stored, each in their own database. */
async function findStored(
  users: readonly User[],
  { env, destinations }: Pick<Storing<unknown>, 'env' | 'destinations'>,
): Promise<(user: User) => boolean> {
  const numberOf = ({ applicationId, telegramId }: User) =>
    databaseOf(destinations.get(applicationId)?.databases ?? [], telegramId)
  const groups = [...Map.groupBy(users, numberOf)].map(async ([number, own]) => {
    const keys = own.map(({ applicationId, telegramId }) => [applicationId, telegramId] as const)
    return [number, await findKnown(openDatabase(bindingOf(env, number), 'lookUp'), 'user', keys)] as const
  })
  const known = new Map(await Promise.all(groups))
  return (user) => known.get(numberOf(user))?.(user.applicationId, user.telegramId) ?? false
}
