import { keptSince } from '../../accounts/applications/kept.ts'
import { logError } from '../../base/log.ts'
import { bindingOf, type Placement } from '../../storage/activity.ts'
import { openDatabase } from '../../storage/database.ts'
import { EntryCache } from '../../storage/memory.ts'
import { openErasureKey } from '../erased-users/erased-users.ts'
import { readFences } from '../fences/fence.ts'
import { selectDestinations } from './sql.ts'

/** Where an application's events go. */
export interface EventDestination {
  readonly databases: Placement
  /** The fence in each of these databases; below zero: closed; null or none: it did not answer. */
  readonly fences: ReadonlyMap<number, number | null>
  /** Keys the hashes of the users erased from it; null: nobody was erased. */
  readonly erasureKey: string | null
  /** The moment from which on events are stored, milliseconds since 1970 UTC; null: all are. */
  readonly keptSince: number | null
}

/** Where events of applications go, by the applications' ids. Applications that are gone are missing. */
export type EventDestinations = ReadonlyMap<number, EventDestination>

/** A database, and where events of the applications go that are to be stored there. */
export interface StoringTarget {
  readonly number: number
  readonly destinations: EventDestinations
}

/** The fence of an application in a database, for `requireFences`. */
export function fenceIn({ number, destinations }: StoringTarget, applicationId: number): readonly [number, number] {
  return [applicationId, destinations.get(applicationId)?.fences.get(number) ?? 0]
}

export interface Looking {
  readonly env: Env
  /** Milliseconds since 1970 UTC. */
  readonly now: number
}

/** Every change raises a fence, so an outdated destination only costs a second try. */
const KNOWN_MS = 60_000
/** Older ones are looked up together with the first one that is too old. */
const YOUNG_MS = 30_000
const KNOWN_APPLICATIONS = 5_000

interface Known extends EventDestination {
  readonly lookedUpAt: number
}

const known = new EntryCache<Known, number>(KNOWN_APPLICATIONS)

/** Where the events of each of these applications go; those that are gone are missing. */
export async function findDestinations(
  applicationIds: readonly number[],
  looking: Looking,
): Promise<EventDestinations> {
  const isYounger = (id: number, ms: number) => looking.now - (known.get(id)?.lookedUpAt ?? 0) < ms
  const isKnown = applicationIds.every((id) => isYounger(id, KNOWN_MS))
  const young = applicationIds.filter((id) => isKnown || isYounger(id, YOUNG_MS))
  const found = new Map<number, EventDestination>(young.map((id) => [id, known.get(id) as Known]))
  const others = applicationIds.filter((id) => !found.has(id))
  for (const [id, destination] of await lookUp(others, looking)) {
    found.set(id, destination)
    if (isOpen(destination)) known.set(id, { ...destination, lookedUpAt: looking.now })
  }
  return found
}

/** Forgets the destinations of applications whose fences have changed, so that the next delivery looks them up again. */
export function forgetDestinations(applicationIds: Iterable<number>): void {
  for (const id of applicationIds) known.delete(id)
}

/** Whether events of a moment are stored. */
export function isKept(time: number, { keptSince }: Pick<EventDestination, 'keptSince'>): boolean {
  return keptSince === null || time >= keptSince
}

/** Whether a database takes an application's events now; silent: it did not answer. */
type State = 'open' | 'closed' | 'silent'

/** The state of one of a destination's databases. */
export function stateIn(destination: EventDestination | undefined, number: number): State {
  const fence = destination?.fences.get(number) ?? null
  if (fence === null) return 'silent'
  return fence < 0 ? 'closed' : 'open'
}

/** Whether all of its databases are open. */
export function isOpen(destination: EventDestination): boolean {
  return destination.databases.every((number) => stateIn(destination, number) === 'open')
}

const ONE_DATABASE: Placement = [1]
/** An application is where it is supposed to be, or where the control database said a moment ago, unless it is moving right now. */
const LOOKS = 3

interface Supposed {
  readonly id: number
  readonly databases: Placement
}

/**
 * Reads the fences before the control database (see `fences/fence.ts`): in the databases where the applications were before, or where
 * most are.
 */
async function lookUp(applicationIds: readonly number[], { env }: Looking): Promise<Map<number, EventDestination>> {
  const found = new Map<number, EventDestination>()
  const secrets = env.KEY_SEALING_SECRET
  let supposed: Supposed[] = applicationIds.map((id) => ({ id, databases: known.get(id)?.databases ?? ONE_DATABASE }))
  for (let look = 1; supposed.length > 0; look += 1) {
    const ids = supposed.map(({ id }) => id)
    const numbers = new Set(supposed.flatMap(({ databases }) => databases))
    const read = new Map(await Promise.all([...numbers].map(async (number) => readIn(number, ids, env))))
    const rows = await selectDestinations(openDatabase(env.DB, 'lookUp'), ids)
    supposed = []
    for (const { id, sealedKey, keptFrom, timeZone, ...row } of rows) {
      if (look < LOOKS && !row.databases.every((number) => read.has(number))) {
        supposed.push({ id, databases: row.databases })
        continue
      }
      const erasureKey = sealedKey === null ? null : openErasureKey({ applicationId: id, sealedKey, secrets })
      // Where the erased users cannot be recognised, events wait as if no database answered.
      const isReadable = sealedKey === null || erasureKey !== null
      const fenceOf = (number: number) => (isReadable ? (read.get(number)?.(id) ?? null) : null)
      const fences = new Map(row.databases.map((number) => [number, fenceOf(number)]))
      found.set(id, { ...row, keptSince: keptSince({ keptFrom, timeZone }), erasureKey, fences })
    }
  }
  return found
}

type FenceOf = (applicationId: number) => number | null

/** The fences of these applications in a database; null if it does not answer. */
async function readIn(number: number, ids: readonly number[], env: Env): Promise<readonly [number, FenceOf]> {
  try {
    const fences = await readFences(openDatabase(bindingOf(env, number), 'lookUp'), ids)
    return [number, (id) => fences.get(id) ?? 0]
  } catch (error) {
    logError('database not asked', error, { database: number })
    return [number, () => null]
  }
}
