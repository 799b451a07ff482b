import type { ImportSource } from './lines.ts'

const EVERY_MS = { terminal: 200, elsewhere: 5_000 }
const BAR_CHARACTERS = 24

/** Tells how far an import is: the same line again and again in a terminal, elsewhere a line now and then. */
export class ProgressLine {
  readonly #source: ImportSource
  readonly #start = performance.now()
  /** Where the source was when it was first shown, and when: what lies before may have been jumped over. */
  #first: { readonly bytes: number; readonly at: number } | null = null
  #toldAt = 0

  constructor(source: ImportSource) {
    this.#source = source
  }

  /** `lines`: how many were read in this run. */
  show(lines: number): void {
    const now = performance.now()
    this.#first ??= { bytes: this.#source.bytesRead, at: now }
    const { isTTY } = process.stderr
    if (now - this.#toldAt < (isTTY ? EVERY_MS.terminal : EVERY_MS.elsewhere)) return
    this.#toldAt = now
    if (isTTY) process.stderr.write(`\r\x1b[K${this.#line(lines, now)}`)
    else console.error(this.#line(lines, now))
  }

  end(): void {
    if (process.stderr.isTTY && this.#toldAt > 0) process.stderr.write('\r\x1b[K')
  }

  #line(lines: number, now: number): string {
    const seconds = (now - this.#start) / 1000
    const pace = `${Math.round(lines / seconds).toLocaleString('en-US')} lines/s`
    const { bytes, bytesRead } = this.#source
    if (bytes === null) return `${megabytes(bytesRead)} MB, ${pace}`
    const share = bytes === 0 ? 1 : bytesRead / bytes
    const bar = '█'.repeat(Math.round(share * BAR_CHARACTERS)).padEnd(BAR_CHARACTERS, '░')
    return `${bar} ${Math.floor(100 * share)} % of ${megabytes(bytes)} MB, ${pace}${this.#left(bytes, now)}`
  }

  /** Nothing until there is something to tell it by. */
  #left(bytes: number, now: number): string {
    const { bytesRead } = this.#source
    const read = bytesRead - (this.#first?.bytes ?? 0)
    if (this.#first === null || read <= 0) return ''
    return `, ${inWords(((bytes - bytesRead) * (now - this.#first.at)) / 1000 / read)} left`
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1)
}

function inWords(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
}
