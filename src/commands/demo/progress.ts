const CELLS = 24
const REDRAW_MS = 100
const LINE_EVERY_MS = 5_000

/** How far the sending has come: one line drawn again and again in a terminal, else a plain line now and then. */
export class Progress {
  readonly #total: number
  readonly #out: NodeJS.WriteStream
  readonly #start = performance.now()
  #shownAt = this.#start
  #sent = 0

  constructor(total: number, out: NodeJS.WriteStream = process.stdout) {
    this.#total = total
    this.#out = out
  }

  get sent(): number {
    return this.#sent
  }

  add(count: number): void {
    this.#sent += count
    const now = performance.now()
    if (now - this.#shownAt < (this.#out.isTTY ? REDRAW_MS : LINE_EVERY_MS)) return
    this.#shownAt = now
    this.#out.write(this.#out.isTTY ? `\r${this.#bar()} ${this.#line()}\u001b[K` : `${this.#line()}\n`)
  }

  /** Makes room for what is printed next. */
  end(): void {
    if (this.#out.isTTY) this.#out.write('\r\u001b[K')
  }

  summary(): string {
    return `${count(this.#sent)} events in ${duration(this.#seconds())} (${count(this.#rate())} events/s)`
  }

  #seconds(): number {
    return (performance.now() - this.#start) / 1000
  }

  #rate(): number {
    return Math.round(this.#sent / Math.max(this.#seconds(), 0.001))
  }

  #bar(): string {
    const full = Math.round((CELLS * this.#sent) / this.#total)
    return `${'█'.repeat(full)}${'░'.repeat(CELLS - full)}`
  }

  #line(): string {
    const percent = Math.floor((100 * this.#sent) / this.#total)
    const left = duration((this.#total - this.#sent) / Math.max(this.#rate(), 1))
    return `${percent} %, ${count(this.#sent)} of ${count(this.#total)} events, ${count(this.#rate())} events/s, ${left} left`
  }
}

export function count(value: number): string {
  return value.toLocaleString('en-US')
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
