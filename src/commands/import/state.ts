import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { CommandFailure } from '../failure.ts'

/** How much of a file is in the application, and what became of it. */
export interface ImportProgress {
  /** Bytes of the unpacked file, up to the end of a line. */
  offset: number
  /** The number of that line. */
  line: number
  stored: number
  known: number
  bad: number
  /** How long the file of bad lines is. */
  badBytes: number
}

/** What an import is of: with anything else it begins anew. */
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

/** Where the progress of an import is kept, so that after a break it goes on. Nothing is, of standard input. */
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
      // There is none, or one that was cut off: what is there already is not counted again.
    }
    return noProgress()
  }

  /** Throws `CommandFailure`. */
  write(progress: ImportProgress): void {
    if (this.#path === null) return
    try {
      writeFileSync(`${this.#path}.new`, JSON.stringify({ about: this.#about, progress }))
      renameSync(`${this.#path}.new`, this.#path)
    } catch (error) {
      throw new CommandFailure(`How far the import is cannot be noted: ${(error as Error).message}.`)
    }
  }

  remove(): void {
    if (this.#path !== null) rmSync(this.#path, { force: true })
  }
}
