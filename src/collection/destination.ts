import { readFences } from '../fences/fence.ts'
import { logError } from '../log.ts'
import { bindingOf, type Placement } from '../storage/activity.ts'
import { openDatabase } from '../storage/database.ts'
import { putNewest } from '../storage/newest.ts'
import { selectDestinations } from './sql.ts'

/** Where an application's events go. */
export interface Destination {
  readonly databases: Placement
  /** The fence in each of these databases; below zero: closed; null or none: it did not answer. */
  readonly fences: ReadonlyMap<number, number | null>
  /** Whether anybody was erased from it. */
  readonly hasErasures: boolean
  /** Events of earlier days (since 1970 UTC) are not stored any more; null: all are. */
  readonly keptFrom: number | null
}

export interface Looking {
  readonly env: Env
  /** Milliseconds since 1970 UTC. */
  readonly now: number
}

/** What changes raises a fence, so an old one only costs a second try. */
const KNOWN_MS = 60_000
/** Those that are older are looked up together with the first one that is too old. */
const YOUNG_MS = 30_000
const KNOWN_APPLICATIONS = 5_000

interface Known extends Destination {
  readonly lookedUpAt: number
}

const known = new Map<string, Known>()

/** Where the events of each of these applications go; those that are gone are missing. */
export async function findDestinations(
  applicationIds: readonly number[],
  looking: Looking,
): Promise<ReadonlyMap<number, Destination>> {
  const isYounger = (id: number, ms: number) => looking.now - (known.get(String(id))?.lookedUpAt ?? 0) < ms
  const isKnown = applicationIds.every((id) => isYounger(id, KNOWN_MS))
  const young = applicationIds.filter((id) => isKnown || isYounger(id, YOUNG_MS))
  const found = new Map<number, Destination>(young.map((id) => [id, known.get(String(id)) as Known]))
  const others = applicationIds.filter((id) => !found.has(id))
  for (const [id, destination] of await lookUp(others, looking)) {
    found.set(id, destination)
    if (isOpen(destination))
      putNewest(known, [String(id), { ...destination, lookedUpAt: looking.now }], KNOWN_APPLICATIONS)
  }
  return found
}

/** What was known of these is old: their fences are other ones. */
export function forgetDestinations(applicationIds: Iterable<number>): void {
  for (const id of applicationIds) known.delete(String(id))
}

/** Whether events of a day (since 1970 UTC) are stored. */
export function isKept(day: number, { keptFrom }: Pick<Destination, 'keptFrom'>): boolean {
  return keptFrom === null || day >= keptFrom
}

/** Whether a database takes an application's events now; silent: nobody knows, as it did not answer. */
type State = 'open' | 'closed' | 'silent'

/** The state of one of a destination's databases. */
export function stateIn(destination: Destination | undefined, number: number): State {
  const fence = destination?.fences.get(number) ?? null
  if (fence === null) return 'silent'
  return fence < 0 ? 'closed' : 'open'
}

/** Whether all of its databases are open. */
export function isOpen(destination: Destination): boolean {
  return destination.databases.every((number) => stateIn(destination, number) === 'open')
}

const ONE_DATABASE: Placement = [1]
/** An application is where it is supposed to be, or where the directory said a moment ago, unless it moves just now. */
const LOOKS = 3

type Supposed = Omit<Destination, 'fences'> & { readonly id: number }

/**
 * Reads the fences before the directory (see `fences/fence.ts`), so in the databases where the applications were before, or where
 * most are.
 */
async function lookUp(applicationIds: readonly number[], { env }: Looking): Promise<Map<number, Destination>> {
  const found = new Map<number, Destination>()
  let supposed: readonly Supposed[] = applicationIds.map((id) => {
    return { id, databases: ONE_DATABASE, hasErasures: false, keptFrom: null, ...known.get(String(id)) }
  })
  for (let look = 0; look < LOOKS && supposed.length > 0; look += 1) {
    const fences = await fencesOf(supposed, env)
    const rows = await selectDestinations(
      openDatabase(env.DB, 'lookUp'),
      supposed.map(({ id }) => id),
    )
    const elsewhere: Supposed[] = []
    for (const row of rows) {
      const destination = { ...row, hasErasures: row.hasErasures === 1, fences: fences.get(row.id) ?? new Map() }
      if (row.databases.every((number) => destination.fences.has(number))) found.set(row.id, destination)
      else elsewhere.push(destination)
    }
    supposed = elsewhere
  }
  for (const { id, ...destination } of supposed) found.set(id, { ...destination, fences: new Map() })
  return found
}

/** By application and database; null where a database does not answer. */
async function fencesOf(supposed: readonly Supposed[], env: Env): Promise<Map<number, Map<number, number | null>>> {
  const fences = new Map(supposed.map(({ id }) => [id, new Map<number, number | null>()]))
  const numbers = new Set(supposed.flatMap(({ databases }) => databases))
  const reading = [...numbers].map(async (number) => {
    const ids = supposed.filter(({ databases }) => databases.includes(number)).map(({ id }) => id)
    const read = await readIn(number, ids, env)
    for (const id of ids) fences.get(id)?.set(number, read && (read.get(id) ?? 0))
  })
  await Promise.all(reading)
  return fences
}

async function readIn(number: number, ids: readonly number[], env: Env): Promise<ReadonlyMap<number, number> | null> {
  try {
    return await readFences(openDatabase(bindingOf(env, number), 'lookUp'), ids)
  } catch (error) {
    logError('database not asked', error, { database: number })
    return null
  }
}
