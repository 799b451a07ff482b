import { closeSync, ftruncateSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { CommandFailure } from '../failure.ts'
import { OWNER_ONLY_FILE } from '../private-files.ts'
import type { BadLine } from './batches.ts'

/** How much of a file is imported, and what became of it. */
export interface ImportProgress {
  /** Bytes of the unpacked file, up to the end of a line. */
  offset: number
  /** The number of that line. */
  line: number
  stored: number
  known: number
  bad: number
  /** The length of the file of bad lines. */
  badBytes: number
}

/** What is imported, and where to. If any of it changes, the import starts over. */
interface About {
  readonly address: string
  readonly application: string
  readonly bytes: number
  readonly format: string
  readonly mapping: readonly (readonly [string, string])[]
  readonly badLines: string
}

export function noProgress(): ImportProgress {
  return { offset: 0, line: 0, stored: 0, known: 0, bad: 0, badBytes: 0 }
}

/** Stores the progress of a file's import, so that another run continues it. For standard input it stores nothing. */
export class State {
  readonly #path: string | null
  readonly #about: About

  constructor(file: string | null, about: About) {
    this.#path = file === null ? null : `${file}.import.json`
    this.#about = about
  }

  read(): ImportProgress {
    try {
      const { about, progress } = JSON.parse(readFileSync(this.#path ?? '', 'utf8'))
      if (JSON.stringify(about) === JSON.stringify(this.#about)) return { ...noProgress(), ...progress }
    } catch {
      // It is missing or incomplete. Starting anew counts nothing twice.
    }
    return noProgress()
  }

  write(progress: ImportProgress): void {
    if (this.#path === null) return
    try {
      writeFileSync(`${this.#path}.new`, JSON.stringify({ about: this.#about, progress }))
      renameSync(`${this.#path}.new`, this.#path)
    } catch (error) {
      throw new CommandFailure(`The progress of the import cannot be written: ${(error as Error).message}.`)
    }
  }

  remove(): void {
    if (this.#path !== null) rmSync(this.#path, { force: true })
  }
}

/** The file of bad lines, each as JSON with its number and reason. It is created with the first of them. */
export class BadLines {
  readonly #path: string
  #descriptor: number | null = null
  #bytes: number

  /** `bytes` is how much of the file an import that continues keeps. */
  constructor(path: string, bytes: number) {
    this.#path = path
    this.#bytes = bytes
    if (bytes === 0) rmSync(path, { force: true })
  }

  /** Returns the length of the file. */
  write(lines: readonly BadLine[]): number {
    if (lines.length === 0) return this.#bytes
    const text = lines.map(({ number, ...line }) => `${JSON.stringify({ line: number, ...line })}\n`)
    const bytes = Buffer.from(text.join(''))
    try {
      this.#descriptor ??= this.#open()
      writeSync(this.#descriptor, bytes, 0, bytes.length, this.#bytes)
    } catch (error) {
      throw new CommandFailure(`Bad lines cannot be written to ${this.#path}: ${(error as Error).message}.`)
    }
    this.#bytes += bytes.length
    return this.#bytes
  }

  #open(): number {
    const descriptor = openSync(this.#path, this.#bytes === 0 ? 'w' : 'r+', OWNER_ONLY_FILE)
    // Drops what a killed run wrote after it last stored its progress.
    ftruncateSync(descriptor, this.#bytes)
    return descriptor
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor)
  }
}
