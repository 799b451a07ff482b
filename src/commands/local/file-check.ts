import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readDeployment } from '../deployment.ts'
import { fileOf } from '../local-database.ts'
import { KEPT, STATE } from '../wrangler.ts'
import type { Damage } from './local-health.ts'

/** A check reads whole files: some seconds for a gigabyte. */
const CHECK_EVERY_MS = 60 * 60_000
/** A file that takes longer is not checked to its end. */
const CHECK_LIMIT_MS = 60_000
/** A complaint that the runtime repeats is checked and explained this often. */
const REPEAT_MS = 5 * 60_000

/** Checks databases and queues for damage, and explains what the runtime says about their files. */
export class FileCheck {
  readonly #say: (sentence: string) => void
  readonly #saidAt = new Map<string, number>()
  readonly #damaged = new Map<string, keyof Damage>()
  #isChecking = false

  constructor(say: (sentence: string) => void) {
    this.#say = say
  }

  get damage(): Damage {
    const kinds = new Set(this.#damaged.values())
    return { database: kinds.has('database'), queue: kinds.has('queue') }
  }

  start(): void {
    void this.check()
    setInterval(() => void this.check(), CHECK_EVERY_MS).unref()
  }

  read(message: string): void {
    const advice = ADVICE.find(([pattern]) => pattern.test(message))?.[1]
    if (advice) this.#sayOnce(advice)
    else if (DAMAGE.test(message) && this.#isDue('check')) void this.check()
  }

  /** Only a newer check withdraws what an older one found. */
  async check(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    for (const file of this.#damaged.keys()) if (!existsSync(file)) this.#damaged.delete(file)
    try {
      for (const file of queueFiles()) {
        await this.#checkFile('queue', file, (fault) => explainQueue(fault, file))
      }
      for (const { binding, id } of readDeployment().databases) {
        const file = fileOf(id)
        await this.#checkFile('database', file, (fault) => explainDatabase(`${binding} is damaged (${fault}): ${file}`))
      }
    } catch (error) {
      this.#sayOnce(`The files could not be checked for damage: ${error instanceof Error ? error.message : error}`)
    } finally {
      this.#isChecking = false
    }
  }

  async #checkFile(kind: keyof Damage, file: string, explain: (fault: string) => string): Promise<void> {
    const fault = await findFault(file)
    if (fault === null) return
    this.#damaged.delete(file)
    if (fault === '') return
    this.#damaged.set(file, kind)
    this.#sayOnce(explain(fault))
  }

  #sayOnce(sentence: string): void {
    if (this.#isDue(sentence)) this.#say(sentence)
  }

  #isDue(what: string): boolean {
    const now = performance.now()
    const isDue = now - (this.#saidAt.get(what) ?? Number.NEGATIVE_INFINITY) >= REPEAT_MS
    if (isDue) this.#saidAt.set(what, now)
    return isDue
  }
}

/** What is wrong with a file; empty if nothing is, null if it could not be checked. */
async function findFault(file: string): Promise<string | null> {
  if (!existsSync(file)) return ''
  try {
    const script = join(import.meta.dirname, 'quick-check.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [script, file], { timeout: CHECK_LIMIT_MS })
    return stdout.trim()
  } catch {
    return null
  }
}

function queueFiles(): string[] {
  const folders = ['mauve-QueueObject', 'mauve-DeadLetterQueueObject'].map((name) => join(STATE, 'v3', 'do', name))
  return folders.filter(existsSync).flatMap((folder) => {
    const names = readdirSync(folder).filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
    return names.map((name) => join(folder, name))
  })
}

const DAMAGE = /SQLITE_CORRUPT|SQLITE_NOTADB|malformed|not a database/

const ADVICE: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [
    /SQLITE_FULL|disk is full|ENOSPC|No space left/i,
    'The disk is full: events are refused, or wait until there is space. Look at ' +
      `"df -h ${KEPT}" and "du -sh ${KEPT}/*" and free some space; then the service continues by itself.`,
  ],
  [
    /SQLITE_BUSY|database is locked/,
    `Another program locks a database or a queue. If this repeats, find it and stop it: lsof +D ${STATE}`,
  ],
]

function explainDatabase(damage: string): string {
  return (
    `The database ${damage}\n` +
    'Stop the service and restore a backup: npm run restore -- FOLDER\n' +
    'Without a backup, save what can be read of it: sqlite3 FILE .recover | sqlite3 NEW'
  )
}

function explainQueue(fault: string, file: string): string {
  return (
    `A queue is damaged (${fault}), so events are refused or not stored: ${file}\n` +
    'Stop the service, move this file (and its -wal and -shm) away, and start again.\n' +
    'To save the messages that can be read: sqlite3 FILE .recover | sqlite3 NEW'
  )
}
