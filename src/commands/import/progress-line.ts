import type { ImportSource } from './lines.ts'

const EVERY_MS = { terminal: 200, elsewhere: 5_000 }
const BAR_CHARACTERS = 24

/** Shows the progress of an import: one line that changes in a terminal, elsewhere a line every few seconds. */
export class ProgressLine {
  readonly #source: ImportSource
  readonly #start = performance.now()
  /** How much was read when progress was first shown, and when: that part may have been skipped. */
  #first: { readonly bytes: number; readonly at: number } | null = null
  #shownAt = 0

  constructor(source: ImportSource) {
    this.#source = source
  }

  /** `lines` is how many this run has read. */
  show(lines: number): void {
    const now = performance.now()
    this.#first ??= { bytes: this.#source.bytesRead, at: now }
    const { isTTY } = process.stderr
    if (now - this.#shownAt < (isTTY ? EVERY_MS.terminal : EVERY_MS.elsewhere)) return
    this.#shownAt = now
    if (isTTY) process.stderr.write(`\r\x1b[K${this.#line(lines, now)}`)
    else console.error(this.#line(lines, now))
  }

  end(): void {
    if (process.stderr.isTTY && this.#shownAt > 0) process.stderr.write('\r\x1b[K')
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

  /** The time left; empty until it can be estimated. */
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
