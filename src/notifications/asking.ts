import { type Access, applicationOf } from '../access/access.ts'
import { BY_COMMAND } from '../access/audit.ts'
import { findOwnApplication } from '../accounts/applications/applications.ts'
import { listSavedQuestions } from '../accounts/applications/saved-questions.ts'
import { type Calendar, calendarOf } from '../base/time/calendar.ts'
import type { RequestContext } from '../http/context.ts'
import { findCohorts } from '../questions/user-cohorts/cohorts.ts'
import { openDatabase } from '../storage/database.ts'

/** The parts of the platform that notifications use, and their clock. */
export interface Delivering {
  readonly env: Env
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number
  readonly fetch: typeof fetch
  /** Runs what asks about an application after what asked about it before: an object refuses a caller with too many questions at a time. */
  readonly inTurn: <T>(applicationId: number, work: () => Promise<T>) => Promise<T>
}

/** What is asked for a message: an application, as its account's own key would ask. */
export interface Asked {
  readonly context: RequestContext
  readonly calendar: Calendar
  readonly application: NonNullable<Access['application']> & { readonly handle: string; readonly name: string }
}

interface Owned {
  readonly accountId: string
  readonly plan: Access['plan']
  readonly handle: string
}

/** Questions of a moment, answered by the functions that answer requests. Throws `not-found` for an application that is gone. */
export async function askAs(
  { accountId, plan, handle }: Owned,
  { env, now }: { readonly env: Env; readonly now: number },
): Promise<Asked> {
  const [db, questions] = [openDatabase(env.DB, 'lookUp'), openDatabase(env.DB, 'question')]
  const application = await findOwnApplication(db, handle, { accountId, applicationId: null })
  const access: Access = { accountId, plan, scope: 'read', keyHash: '', application, onlyApplicationId: application.id }
  const context: RequestContext = {
    db,
    questions,
    env,
    access,
    actor: () => BY_COMMAND,
    now,
    // Nobody waits for it: each question has its whole time.
    elapsed: () => 0,
    request: new Request('https://in-process.invalid'),
    setHeader: () => undefined,
    warn: () => undefined,
    defer: () => undefined,
    findCohorts,
  }
  return { context, application, calendar: calendarOf(application.timeZone) }
}

/** The address of a saved report; null if there is none of this name. */
export async function findSaved({ context }: Pick<Asked, 'context'>, name: string): Promise<string | null> {
  const saved = await listSavedQuestions(context.db, applicationOf(context.access).id)
  return saved.find((question) => question.name === name)?.address ?? null
}
