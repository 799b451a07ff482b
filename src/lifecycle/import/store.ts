import type { CollectingScope } from '../../access/api-keys.ts'
import { Failure } from '../../base/errors.ts'
import { startOfUtcDay } from '../../base/time/days.ts'
import {
  type EventDestinations,
  fenceIn,
  findDestinations,
  forgetDestinations,
  isKept,
  isOpen,
  type StoringTarget,
  stateIn,
} from '../../collection/destinations/destination.ts'
import { contextStatements, type StoredBatch, type StoredEffect, storeEvents } from '../../collection/event-batch.ts'
import { isFenced, requireFences } from '../../collection/fences/fence.ts'
import { withStartParameter } from '../../collection/message.ts'
import type { Collected } from '../../collection/rows.ts'
import { IS_MOVING, type LeftOutReason, type Storable, type Storing, storeAll } from '../../collection/storing.ts'
import { bindingOf } from '../../storage/activity.ts'
import { type BatchDatabase, DATABASE_AWAY, openDatabase } from '../../storage/database.ts'
import type { ImportLine } from './line.ts'
import { type ChangedUser, firstStatements, userStatements } from './sql.ts'
import { type ImportedUser, withStartParameters } from './user-line.ts'

export interface Importing {
  readonly applicationId: number
  readonly scope: CollectingScope
  readonly env: Env
  readonly now: number
}

interface RefusedLine {
  /** From 1 on. */
  readonly line: number
  readonly reason: string
}

interface ImportCounts {
  stored: number
  known: number
  readonly refused: RefusedLine[]
  readonly changes: StoredEffect[]
}

interface HeldEvent extends Collected, Storable, Pick<RefusedLine, 'line'> {
  readonly event: Collected['event']
}

interface HeldUser extends Storable, Pick<RefusedLine, 'line'> {
  readonly user: ImportedUser
}

/**
 * Stores lines in the databases of their users, events before users. Throws `unavailable`: what was stored until then stays, and the
 * same lines may be sent again.
 */
export async function storeLines(lines: readonly ImportLine[], importing: Importing): Promise<ImportCounts> {
  const counts: ImportCounts = { stored: 0, known: 0, refused: [], changes: [] }
  const events: HeldEvent[] = []
  const users: HeldUser[] = []
  const { applicationId, scope, now: enqueuedAt } = importing
  for (const [index, content] of lines.entries()) {
    const held = { applicationId, scope, enqueuedAt, line: index + 1 }
    if (content.kind === 'refused') counts.refused.push({ line: held.line, reason: content.reason })
    if (content.kind === 'event') {
      const { event } = content
      events.push({ ...held, telegramId: event.telegramId, event })
    }
    if (content.kind === 'user') {
      users.push({ ...held, telegramId: content.user.telegramId, event: null, user: content.user })
    }
  }
  const mapEvent: MapStartParameters<HeldEvent> = (held, change) => {
    return { ...held, event: withStartParameter(held.event, change) }
  }
  const mapUser: MapStartParameters<HeldUser> = (held, change) => {
    return { ...held, user: withStartParameters(held.user, change) }
  }
  await storeAll(events, storingOf(storeEventLines, mapEvent, importing, counts))
  await storeAll(users, storingOf(storeUserLines, mapUser, importing, counts))
  counts.refused.sort((a, b) => a.line - b.line)
  return counts
}

type StoreBatch<Held> = (lines: readonly Held[], target: StoringTarget, importing: Importing) => Promise<StoredBatch>

type MapStartParameters<Held extends Storable> = Storing<Held>['mapStartParameters']

function storingOf<Held extends HeldEvent | HeldUser>(
  storeBatch: StoreBatch<Held>,
  mapStartParameters: MapStartParameters<Held>,
  importing: Importing,
  counts: ImportCounts,
): Storing<Held> {
  const refuse = ({ line }: Held, reason: string) => void counts.refused.push({ line, reason })
  return {
    env: importing.env,
    mapStartParameters,
    findDestinations: () => findOpenDestination(importing),
    storeBatch: async (lines, target) => {
      const { stored, changes } = await storeBatch(lines, target, importing)
      counts.changes.push(...changes)
      counts.stored += stored
      counts.known += lines.length - stored
    },
    leaveOut: (lines, reason) => {
      if (reason === 'repeated') counts.known += lines.length
      else for (const held of lines) refuse(held, LEFT_OUT[reason])
    },
    refuse: (held) => refuse(held, 'The database refuses this line'),
    // A request does not wait: the sender repeats it.
    postpone: (_, reason) => {
      throw failureOf(reason)
    },
  }
}

function failureOf(reason: unknown): Error {
  if (reason === IS_MOVING) return new Failure('unavailable', MOVING, { retryAfterSeconds: MOVING_RETRY_SECONDS })
  return reason instanceof Error && !isFenced(reason) ? reason : new Failure('unavailable', DATABASE_AWAY)
}

const GONE = 'The application was deleted.'
const LEFT_OUT: Readonly<Record<Exclude<LeftOutReason, 'repeated'>, string>> = {
  deleted: GONE,
  late: GONE,
  erased: 'telegram_id: This user was erased',
  old: 'time: Events of this day are no longer kept',
}

/** Throws `unavailable` if one of the application's databases does not respond or is closed for a move. */
async function findOpenDestination({ applicationId, ...looking }: Importing): Promise<EventDestinations> {
  const destinations = await findDestinations([applicationId], looking)
  const destination = destinations.get(applicationId)
  if (!destination) throw new Failure('not-found', GONE)
  if (isOpen(destination)) return destinations
  forgetDestinations([applicationId])
  const isMoving = destination.databases.some((number) => stateIn(destination, number) === 'closed')
  throw failureOf(isMoving ? IS_MOVING : null)
}

const MOVING = 'The application is being moved to another database. Send the request again when that is done.'
const MOVING_RETRY_SECONDS = 30

function storeEventLines(lines: readonly HeldEvent[], target: StoringTarget, { env, now }: Importing) {
  return storeEvents(lines, target, { env, now, timeout: 'question' })
}

function statementsOfFirsts(
  db: BatchDatabase,
  users: readonly ImportedUser[],
  { number }: StoringTarget,
  { applicationId, now }: Importing,
): D1PreparedStatement[] {
  const noted = users.filter(({ first, start }) => first ?? start)
  if (noted.length === 0) return []
  const contexts = noted.flatMap(({ first, start }) => [first, start].flatMap((event) => event?.context ?? []))
  return [
    ...contextStatements(db, contexts, { applicationId, number, now }),
    ...firstStatements(db, noted, { applicationId, now }),
  ]
}

const USER_BYTES = 300

/** The last moment of a UTC day: sessions are stored by these, whatever the application's own days are. */
function lastOf(day: number): number {
  return startOfUtcDay(day + 1) - 1
}

async function storeUserLines(lines: readonly HeldUser[], target: StoringTarget, importing: Importing) {
  const { applicationId, scope: share, env } = importing
  const db = openDatabase(bindingOf(env, target.number), 'question')
  const destination = target.destinations.get(applicationId)
  const users = lines.map(({ user }) => {
    return { ...user, sessions: user.sessions.filter(({ day }) => !destination || isKept(lastOf(day), destination)) }
  })
  const fence = requireFences(db, [fenceIn(target, applicationId)])
  const statements = [...userStatements(db, applicationId, users), ...statementsOfFirsts(db, users, target, importing)]
  const results = await db.$client.batch<ChangedUser>([fence, ...statements])
  const rows = results.flatMap((result) => result.results)
  const count = rows.filter(({ isNew }) => isNew === 1).length
  const growth = { applicationId, share, quota: 'newUsers', count, bytes: count * USER_BYTES } as const
  const changed = new Set(rows.map(({ telegramId }) => telegramId))
  return { stored: lines.filter(({ telegramId }) => changed.has(telegramId)).length, changes: [growth] }
}
