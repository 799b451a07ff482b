import { closeSync, existsSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'
import { OWNER_ONLY_FILE } from '../private-files.ts'

const MAX_BYTES = 20_000_000
const OLD_FILES = 2

/** A bounded log: a full file becomes `….1`, that one `….2`, and the oldest is deleted. */
export class LogFile {
  readonly #path: string
  readonly #maxBytes: number
  #file: number
  #bytes: number
  #hasFailed = false

  /** Continues the file of an earlier run. */
  constructor(path: string, maxBytes = MAX_BYTES) {
    this.#path = path
    this.#maxBytes = maxBytes
    this.#file = openSync(path, 'a', OWNER_ONLY_FILE)
    this.#bytes = fstatSync(this.#file).size
  }

  /** Writes synchronously, so that the last lines of a killed process are there. */
  write(line: string): void {
    try {
      if (this.#bytes >= this.#maxBytes) this.#rotate()
      this.#bytes += writeSync(this.#file, `${line}\n`)
      this.#hasFailed = false
    } catch (error) {
      // A full disk must not end the service; it is reported once.
      if (!this.#hasFailed) console.error(`The log cannot be written: ${(error as Error).message}`)
      this.#hasFailed = true
    }
  }

  #rotate(): void {
    closeSync(this.#file)
    for (let age = OLD_FILES; age > 0; age--) {
      const newer = age === 1 ? this.#path : `${this.#path}.${age - 1}`
      if (existsSync(newer)) renameSync(newer, `${this.#path}.${age}`)
    }
    this.#file = openSync(this.#path, 'a', OWNER_ONLY_FILE)
    this.#bytes = 0
  }
}
