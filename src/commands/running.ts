import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandFailure } from './failure.ts'

/** A running service of this copy: the folder of its state, and the port on which it listens. */
interface RunningService {
  readonly state: string
  readonly port: number
}

/** One folder for all states, because commands look here to find theirs. Tests use another one. */
const FOLDER = process.env.MAUVE_RUNNING || join(import.meta.dirname, '..', '..', '.wrangler', 'running')

/** The state of a service that is given no other folder. */
const USUAL = dirname(FOLDER)

/** Sets PORT and MAUVE_STATE, if they are not set, to those of the running service. */
export function useRunning(args: readonly string[]): void {
  const { env } = process
  if (args.includes('--remote')) return
  const service = findRunning({ state: env.MAUVE_STATE, port: env.PORT })
  if (!service) return
  if (!env.MAUVE_STATE && service.state !== USUAL) {
    console.error(`Using the service at http://localhost:${service.port} (MAUVE_STATE=${service.state}).`)
  }
  env.MAUVE_STATE ||= service.state
  env.PORT ||= String(service.port)
}

/** Lets commands find a service that holds the lock of its state. Returns a function that ends this. */
export function announce(service: RunningService): () => void {
  mkdirSync(FOLDER, { recursive: true, mode: 0o700 })
  // A file for each state, so that the next service there replaces the file of one that was killed.
  const file = join(FOLDER, `${createHash('sha256').update(service.state).digest('hex').slice(0, 16)}.json`)
  writeFileSync(file, JSON.stringify(service), { mode: 0o600 })
  return () => rmSync(file, { force: true })
}

type Wanted = Partial<Record<'state' | 'port', string | undefined>>

/**
 * The running service with this state or port; without either, the one in the usual folder, else the only one. Null if there is
 * none. Throws `CommandFailure` if there are several.
 */
export function findRunning({ state, port }: Wanted): RunningService | null {
  const wanted = state && resolve(state)
  const running = listRunning().filter(
    (service) => (!wanted || service.state === wanted) && (!port || String(service.port) === port),
  )
  const usual = running.find((service) => service.state === USUAL)
  if (usual || running.length <= 1) return usual ?? running[0] ?? null
  const choices = running.map((service) => `  MAUVE_STATE=${service.state} (port ${service.port})`)
  throw new CommandFailure(`Several services are running. Set MAUVE_STATE to one of them:\n${choices.join('\n')}`)
}

/** A service that was killed is not among them: its lock is gone. */
function listRunning(): RunningService[] {
  const names = existsSync(FOLDER) ? readdirSync(FOLDER) : []
  return names.flatMap((name) => read(join(FOLDER, name)) ?? []).filter(({ state }) => isLocked(state))
}

function read(file: string): RunningService | null {
  try {
    const { state, port } = JSON.parse(readFileSync(file, 'utf8'))
    return typeof state === 'string' && Number.isInteger(port) ? { state, port } : null
  } catch {
    // It is just being written or deleted.
    return null
  }
}

const SQLITE_BUSY = 5

/** A command that looks for a running service holds the lock for a moment. */
const LOOK_MS = 100

/** Keeps the connection, and so the lock, as long as the process lives. */
let lock: DatabaseSync | undefined

/**
 * Makes this process the only service of the folder, with a lock of SQLite: it works on every system, and ends with the process
 * even if that is killed. Returns a function that releases it. Throws `CommandFailure`, with this advice, if another process has it.
 */
export function lockFolder(folder: string, advice = 'Stop it first.'): () => void {
  const file = join(folder, 'lock')
  const held = new DatabaseSync(file, { timeout: LOOK_MS })
  lock = held
  try {
    held.exec('begin exclusive')
  } catch (error) {
    if (!isBusy(error)) throw error
    throw new CommandFailure(`Another "npm start" is running on ${folder}. ${advice}`)
  }
  chmodSync(file, 0o600)
  return () => {
    held.close()
    if (lock === held) lock = undefined
  }
}

function isLocked(folder: string): boolean {
  try {
    using lock = new DatabaseSync(join(folder, 'lock'), { readOnly: true, timeout: 0 })
    lock.prepare('select 1 from sqlite_schema').all()
    return false
  } catch (error) {
    return isBusy(error)
  }
}

function isBusy(error: unknown): boolean {
  return (error as { errcode?: unknown }).errcode === SQLITE_BUSY
}
