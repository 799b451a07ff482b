import { applicationOf } from '../../access/access.ts'
import { type ActivitySource, readActivity, readKeeping } from '../../accounts/applications/placement.ts'
import { Failure } from '../../base/errors.ts'
import { UNKNOWN_USER } from '../engine/contract.ts'
import type { QuestionContext } from '../engine/question.ts'
import { toReading } from '../engine/reading.ts'
import { type EventUser, selectFirstActivity } from './sql.ts'

/** Throws `not-found` for a user without stored events, unless the user was active before the first retained day. */
export async function expectDeleted(telegramId: number, context: QuestionContext): Promise<void> {
  const user = { applicationId: applicationOf(context.access).id, telegramId }
  const reading = toReading(context)
  const [{ keptFrom }, first] = await Promise.all([
    readKeeping(reading.directory, user.applicationId),
    readFirstActivity(user, reading),
  ])
  const wasThereBefore = first !== null && keptFrom !== null && context.calendar.dayOf(first) < keptFrom
  if (!wasThereBefore) throw new Failure('not-found', UNKNOWN_USER)
}

/** Null if the user was never seen. */
function readFirstActivity(user: EventUser, reading: ActivitySource): Promise<number | null> {
  return readActivity(user.applicationId, reading, async (parts) => {
    const own = parts.find(({ has }) => has(user.telegramId))
    const [row] = own ? await selectFirstActivity(own.db, user) : []
    return row?.time ?? null
  })
}
