import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readDeployment } from '../deployment.ts'
import { fileOf } from '../local-database.ts'
import { KEPT } from '../wrangler.ts'
import type { Damage } from './local-health.ts'

/** A check reads all of a file: for a gigabyte some seconds. */
const CHECK_EVERY_MS = 60 * 60_000
/** A larger file is not checked to its end. */
const CHECK_LIMIT_MS = 60_000
/** What the runtime complains about again and again is looked at and explained once in a while. */
const REPEAT_MS = 5 * 60_000

/** Checks databases and queues for damage, and explains what the runtime says of their files. */
export class FileCheck {
  readonly #say: (sentence: string) => void
  readonly #saidAt = new Map<string, number>()
  /** The damaged files. */
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

  /** Reads what the runtime logs as an error. */
  read(message: string): void {
    const symptom = SYMPTOMS.find(({ pattern }) => pattern.test(message))
    if (!symptom) return
    if (symptom.advice) this.#sayOnce(symptom.advice)
    else if (this.#isDue('check')) void this.check()
  }

  /** Only a newer check takes back what was found. */
  async check(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    for (const file of this.#damaged.keys()) if (!existsSync(file)) this.#damaged.delete(file)
    try {
      for (const file of queueFiles()) await this.#checkFile({ kind: 'queue', file, explain: onQueue })
      for (const { binding: name, id } of readDeployment().databases) {
        await this.#checkFile({
          kind: 'database',
          file: fileOf(id),
          explain: (found) => onDatabase({ ...found, name }),
        })
      }
    } catch (error) {
      this.#sayOnce(`The files could not be checked for damage: ${error instanceof Error ? error.message : error}`)
    } finally {
      this.#isChecking = false
    }
  }

  /** A file that could not be checked stays as the last check found it. */
  async #checkFile({ kind, file, explain }: Checking): Promise<void> {
    const found = await findDamage(file)
    if (found === null) return
    this.#damaged.delete(file)
    for (const damaged of found) {
      this.#damaged.set(file, kind)
      this.#sayOnce(explain(damaged))
    }
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

interface Checking {
  readonly kind: keyof Damage
  readonly file: string
  readonly explain: (found: DamagedFile) => string
}

interface DamagedFile {
  readonly file: string
  readonly fault: string
}

/** Null where that could not be found out. */
async function findDamage(file: string): Promise<DamagedFile[] | null> {
  const script = join(import.meta.dirname, 'quick-check.ts')
  const options = { timeout: CHECK_LIMIT_MS }
  try {
    const files = existsSync(file) ? [file] : []
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...files], options)
    return JSON.parse(stdout)
  } catch {
    return null
  }
}

const OBJECTS = join(KEPT, 'state', 'v3', 'do')

function queueFiles(): string[] {
  const folders = ['mauve-QueueObject', 'mauve-DeadLetterQueueObject'].map((name) => join(OBJECTS, name))
  return folders.filter(existsSync).flatMap((folder) => {
    const names = readdirSync(folder).filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
    return names.map((name) => join(folder, name))
  })
}

interface Symptom {
  readonly pattern: RegExp
  /** Null: a check says more. */
  readonly advice: string | null
}

const SYMPTOMS: readonly Symptom[] = [
  {
    pattern: /SQLITE_FULL|disk is full|ENOSPC|No space left/i,
    advice:
      `The disk is full: events are refused or wait until there is space. See "df -h ${KEPT}" and "du -sh ${KEPT}/*", and free some; ` +
      'the service then goes on by itself.',
  },
  {
    pattern: /SQLITE_BUSY|database is locked/,
    advice:
      'Another program holds a database or a queue locked. If this repeats, find it and stop it: ' +
      `lsof +D ${join(KEPT, 'state')}`,
  },
  { pattern: /SQLITE_CORRUPT|SQLITE_NOTADB|malformed|not a database/, advice: null },
]

function onDatabase({ name, file, fault }: DamagedFile & { readonly name: string }): string {
  return (
    `The database ${name} is damaged (${fault}): ${file}\n` +
    'Stop the service and restore a backup: npm run restore -- FOLDER\n' +
    'Without a backup, save what can be read of it: sqlite3 FILE .recover | sqlite3 NEW'
  )
}

function onQueue({ file, fault }: DamagedFile): string {
  return (
    `A queue is damaged (${fault}), so events are refused or not stored: ${file}\n` +
    'Stop the service, move this file (and its -wal and -shm) away, and start again.\n' +
    'To save the messages that can be read: sqlite3 FILE .recover | sqlite3 NEW'
  )
}
