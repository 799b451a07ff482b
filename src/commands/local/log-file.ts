import { closeSync, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { OWNER_ONLY_FILE } from '../private-files.ts'

const MAX_BYTES = 20_000_000
const OLD_FILES = 2

/** A log that is bounded: a full file becomes `….1`, that one `….2`, and the oldest goes. */
export class LogFile {
  readonly #path: string
  readonly #maxBytes: number
  #file: number
  #bytes: number
  #hasFailed = false

  /** What an earlier run wrote stays. */
  constructor(path: string, maxBytes = MAX_BYTES) {
    this.#path = path
    this.#maxBytes = maxBytes
    this.#file = openSync(path, 'a', OWNER_ONLY_FILE)
    this.#bytes = fstatSync(this.#file).size
  }

  /** Written at once, so that nothing waits in memory and a killed process leaves its last words. */
  write(line: string): void {
    try {
      if (this.#bytes >= this.#maxBytes) this.#rotate()
      this.#bytes += writeSync(this.#file, `${line}\n`)
      this.#hasFailed = false
    } catch (error) {
      // A full disk must not end the service. It is said once.
      if (!this.#hasFailed) console.error(`The log cannot be written: ${(error as Error).message}`)
      this.#hasFailed = true
    }
  }

  #rotate(): void {
    closeSync(this.#file)
    const paths = [this.#path, ...Array.from({ length: OLD_FILES }, (_, index) => `${this.#path}.${index + 1}`)]
    rmSync(paths[OLD_FILES] as string, { force: true })
    for (let index = OLD_FILES; index > 0; index--) {
      const [newer, older] = [paths[index - 1] as string, paths[index] as string]
      try {
        renameSync(newer, older)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    }
    this.#file = openSync(this.#path, 'a', OWNER_ONLY_FILE)
    this.#bytes = 0
  }
}
