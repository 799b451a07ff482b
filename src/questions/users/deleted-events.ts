import { type ActivitySource, readKeeping } from '../../accounts/applications/placement.ts'
import { Failure } from '../../base/errors.ts'
import type { Calendar } from '../../base/time/calendar.ts'
import { UNKNOWN_USER } from './contract.ts'
import { readUser } from './users.ts'

/** Throws `not-found` for a user without stored events, unless the user was active before the first retained day. */
export async function expectDeleted(
  user: Parameters<typeof readUser>[0],
  { dayOf }: Calendar,
  reading: ActivitySource,
): Promise<void> {
  const [{ keptFrom }, known] = await Promise.all([
    readKeeping(reading.directory, user.applicationId),
    readUser(user, reading),
  ])
  const wasThereBefore = known !== null && keptFrom !== null && dayOf(Date.parse(known.first_active_at)) < keptFrom
  if (!wasThereBefore) throw new Failure('not-found', UNKNOWN_USER)
}
