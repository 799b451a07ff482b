import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

/** Sets PORT and MAUVE_STATE, if they are not set, to those of the running service. Throws `CommandFailure`. */
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

interface Wanted {
  readonly state?: string | undefined
  readonly port?: string | undefined
}

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

/** Whether a process holds the lock of the folder (src/commands/local/lock.ts). */
function isLocked(folder: string): boolean {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(join(folder, 'lock'), { readOnly: true, timeout: 0 })
    lock.prepare('select 1 from sqlite_schema').all()
    return false
  } catch (error) {
    return (error as { errcode?: unknown }).errcode === SQLITE_BUSY
  } finally {
    lock?.close()
  }
}
