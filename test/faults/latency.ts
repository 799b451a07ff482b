import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from './history.ts'
import { type Application, ask, post, type Service } from './service-client.ts'

interface Probing {
  readonly service: Service
  readonly applications: readonly Application[]
  /** Whether the service was disturbed between two moments of the run's clock, or had not recovered yet. */
  readonly wasDisturbed: (from: number, to: number) => boolean
}

interface Probe {
  readonly milliseconds: number
  readonly wasDisturbed: boolean
}

const USER = 7_000_000_000
const USERS = 7
/** Of all filters of a question. */
const MOST_VALUES = 100
const EVERY_MS = 700
const LOOK_EVERY_MS = 200

/** Measures how long an event that was answered with 200 takes to appear in figures. */
export class Latency {
  readonly #probing: Probing
  readonly #probes: Probe[] = []
  /** Answered with 200, and not in figures yet. */
  readonly #open = new Map<number, { application: Application; began: number; answered: number }>()
  #sent = 0

  constructor(probing: Probing) {
    this.#probing = probing
  }

  async measure(signal: AbortSignal): Promise<void> {
    const send = async () => {
      for (; !signal.aborted; await sleep(EVERY_MS)) void this.#send()
    }
    const watch = async (application: Application) => {
      for (; !signal.aborted; await sleep(LOOK_EVERY_MS)) await this.#watch(application)
    }
    await Promise.all([send(), ...this.#probing.applications.map(watch)])
  }

  /** The report's line about the probes that met a disturbance (or not). */
  describe(wasDisturbed: boolean): string {
    const times = this.#probes.filter((probe) => probe.wasDisturbed === wasDisturbed).map((probe) => probe.milliseconds)
    const seconds = (share: number) => ((quantile(times, share) ?? Number.NaN) / 1000).toFixed(1)
    return `${times.length} probes: median ${seconds(0.5)} s, 99th percentile ${seconds(0.99)} s`
  }

  get undisturbed(): readonly number[] {
    return this.#probes.filter((probe) => !probe.wasDisturbed).map(({ milliseconds }) => milliseconds)
  }

  /** One event of its own. One that is not taken is no probe. */
  async #send(): Promise<void> {
    const { service, applications } = this.#probing
    const number = this.#sent++
    const application = applications[number % applications.length] as Application
    const ids = { event_id: `probe ${number}`, telegram_id: USER + (number % USERS) }
    const event = { ...ids, event_type: 'Probe', datetime: Date.now(), params: { number } }
    const began = performance.now()
    if ((await post(service, application, { events: [event], phone: number })) !== 200) return
    this.#open.set(number, { application, began, answered: performance.now() })
  }

  /** Takes note of the probes that figures contain now. */
  async #watch(application: Application): Promise<void> {
    const own = [...this.#open].filter(([, probe]) => probe.application === application).slice(0, MOST_VALUES)
    if (own.length === 0) return
    const values = own.map(([number]) => String(number))
    const filters = JSON.stringify([{ prop: 'params.number', op: 'is', values }])
    const path = `/properties/params.number/values?event=Probe&limit=1000&filters=${filters}`
    const { status, text } = await ask(this.#probing.service, application, path)
    if (status !== 200) return
    const now = performance.now()
    const counted = new Set((JSON.parse(text).data as { value: string }[]).map(({ value }) => value))
    for (const [number, { began, answered }] of own.filter(([number]) => counted.has(String(number)))) {
      this.#open.delete(number)
      this.#probes.push({ milliseconds: now - answered, wasDisturbed: this.#probing.wasDisturbed(began, now) })
    }
  }
}
