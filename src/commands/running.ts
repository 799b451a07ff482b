import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandFailure } from './failure.ts'

/** A service of this copy that runs: where its state lies, and where it listens. */
export interface RunningService {
  readonly state: string
  readonly port: number
}

/** Tests put another in its place. The same for all states, as commands look here to find out which one is meant. */
const FOLDER = process.env.MAUVE_RUNNING || join(import.meta.dirname, '..', '..', '.wrangler', 'running')

/** Where a service keeps its state that nobody gave another folder. */
export const USUAL = dirname(FOLDER)

/** Lets commands find a service that holds the lock of its state; returns what ends that. */
export function tellRunning(service: RunningService): () => void {
  mkdirSync(FOLDER, { recursive: true, mode: 0o700 })
  // One for each state, so that the next service there replaces what a killed one left behind.
  const file = join(FOLDER, `${createHash('sha256').update(service.state).digest('hex').slice(0, 16)}.json`)
  writeFileSync(file, JSON.stringify(service), { mode: 0o600 })
  return () => rmSync(file, { force: true })
}

interface Wanted {
  readonly state: string | undefined
  readonly port: string | undefined
}

/**
 * The running service of this state, or at this port. Where neither is named, the one on the usual folder, or else the only one.
 * Null where there is none. Throws `CommandFailure` where several may be meant.
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

/** The services that run. What a killed one left behind is not among them: its lock went with it. */
function listRunning(): RunningService[] {
  return names().flatMap((name) => {
    const service = read(join(FOLDER, name))
    return service && isLocked(service.state) ? service : []
  })
}

function names(): string[] {
  try {
    return readdirSync(FOLDER)
  } catch {
    return []
  }
}

function read(file: string): RunningService | null {
  try {
    const { state, port } = JSON.parse(readFileSync(file, 'utf8'))
    return typeof state === 'string' && Number.isInteger(port) ? { state, port } : null
  } catch {
    // Just being written, or taken away.
    return null
  }
}

const SQLITE_BUSY = 5

/** Whether a process holds the lock of the folder (src/commands/local/lock.ts). Nobody reads its file meanwhile. */
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
