import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { familyOf, nameOf, runningOf } from '../commands/processes.ts'
import { FAULTS_PATH, type Fault } from './faults.ts'

const SECRET = randomBytes(32).toString('base64')
const ENDED_LOOK_MS = 50

/** The real service in a process of its own, which can be killed and started again. */
export class ServiceProcess {
  readonly url: string
  readonly #port: number
  readonly #folder: string
  #process: ChildProcess | undefined

  private constructor(port: number, folder: string) {
    this.#port = port
    this.#folder = folder
    this.url = `http://127.0.0.1:${port}`
  }

  static async make(folder: string): Promise<ServiceProcess> {
    return new ServiceProcess(await freePort(), folder)
  }

  get isRunning(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null
  }

  /** Returns the key of its demo account when it answers. */
  async start(): Promise<string> {
    const env = { ...process.env, MAUVE_STATE: this.#folder, PORT: String(this.#port), KEY_SEALING_SECRET: SECRET }
    const child = spawn(process.execPath, [join(import.meta.dirname, 'service.ts')], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#process = child
    process.once('exit', () => child.kill('SIGKILL'))
    let printed = ''
    child.stderr.resume()
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      printed += chunk
      const [, key] = /^API key: (\S+)\n/m.exec(printed) ?? []
      if (key) return key
    }
    throw new Error(`The service did not start: ${printed}`)
  }

  /** Miniflare starts another one. */
  killRuntime(): void {
    this.#signalRuntime('SIGKILL')
  }

  /** Suspends the runtime, which answers nothing meanwhile. */
  async suspendRuntime(milliseconds: number): Promise<void> {
    this.#signalRuntime('SIGSTOP')
    await sleep(milliseconds)
    this.#signalRuntime('SIGCONT')
  }

  async kill(): Promise<void> {
    const family = this.#family()
    this.#process?.kill('SIGKILL')
    while (runningOf(family).length > 0) await sleep(ENDED_LOOK_MS)
  }

  /** A runtime that was restarted knows none. */
  async tell(faults: readonly Fault[]): Promise<void> {
    const body = JSON.stringify(faults)
    await fetch(this.url + FAULTS_PATH, { method: 'POST', body }).catch(() => undefined)
  }

  #family(): number[] {
    return this.isRunning ? familyOf(this.#process?.pid as number) : []
  }

  #signalRuntime(signal: NodeJS.Signals): void {
    const runtime = this.#family().find((pid) => nameOf(pid) === 'workerd')
    if (runtime) process.kill(runtime, signal)
  }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('There is no free port')
  return address.port
}
