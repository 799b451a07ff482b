import type { Event } from '../base/event.ts'
import { logError } from '../base/log.ts'
import { bindingOf, databaseOf } from '../storage/activity.ts'
import { openDatabase } from '../storage/database.ts'
import { findDestinations, type Looking } from './destinations/destination.ts'
import { areUsersKnown } from './known/known.ts'

interface LookingIn extends Looking {
  readonly applicationId: number
}

/** Whether any of these events is of a user of whom nothing is stored. False if a database does not answer. */
export async function hasNewUsers(
  events: readonly Event[],
  { applicationId, ...looking }: LookingIn,
): Promise<boolean> {
  try {
    const { databases = [] } = (await findDestinations([applicationId], looking)).get(applicationId) ?? {}
    const users = Map.groupBy(new Set(events.map(({ telegramId }) => telegramId)), (id) => databaseOf(databases, id))
    const known = await Promise.all(
      [...users].map(([number, ids]) =>
        areUsersKnown(openDatabase(bindingOf(looking.env, number), 'lookUp'), applicationId, new Set(ids)),
      ),
    )
    return known.includes(false)
  } catch (error) {
    logError('users not looked up', error, { application: applicationId })
    return false
  }
}
