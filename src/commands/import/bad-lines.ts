import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import { CommandFailure } from '../failure.ts'
import { OWNER_ONLY_FILE } from '../private-files.ts'
import type { BadLine } from './batches.ts'

/** The file of lines that were not taken, each as JSON with its number and reason. It is made with the first of them. */
export class BadLines {
  readonly path: string
  #descriptor: number | null = null
  #bytes: number

  /** Of an import that goes on, so many bytes stay. */
  constructor(path: string, bytes: number) {
    this.path = path
    this.#bytes = bytes
    if (bytes === 0) rmSync(path, { force: true })
  }

  /** Returns how long the file is then. Throws `CommandFailure`. */
  write(lines: readonly BadLine[]): number {
    if (lines.length === 0) return this.#bytes
    const text = lines.map(
      ({ number, reason, text: line }) => `${JSON.stringify({ line: number, reason, text: line })}\n`,
    )
    const bytes = Buffer.from(text.join(''))
    try {
      this.#descriptor ??= this.#open()
      writeSync(this.#descriptor, bytes, 0, bytes.length, this.#bytes)
    } catch (error) {
      throw new CommandFailure(`Bad lines cannot be written to ${this.path}: ${(error as Error).message}.`)
    }
    this.#bytes += bytes.length
    return this.#bytes
  }

  #open(): number {
    const descriptor = openSync(this.path, this.#bytes === 0 ? 'w' : 'r+', OWNER_ONLY_FILE)
    // Of a run that ended before it could note what it had written.
    ftruncateSync(descriptor, this.#bytes)
    return descriptor
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor)
  }
}
