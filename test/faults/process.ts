import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { familyOf, nameOf, runningOf } from '../commands/processes.ts'
import { FAULTS_PATH, type Fault } from './faults.ts'
import { askWorker } from './service-client.ts'

const ENDED_LOOK_MS = 50
const START_LIMIT_MS = 60_000

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

  /** Returns a key and the project of its demo account when it answers. */
  async start(): Promise<{ key: string; project: string }> {
    const env = { ...process.env, MAUVE_STATE: this.#folder, PORT: String(this.#port) }
    const child = spawn(process.execPath, [join(import.meta.dirname, 'service.ts')], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#process = child
    process.once('exit', () => child.kill('SIGKILL'))
    let printed = ''
    // Until it runs, errors say why it does not; afterwards they are faults that it survives.
    let isStarting = true
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      if (isStarting) printed += chunk
    })
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      printed += chunk
      const [, project, key] = /^Project id: (\S+)\nAPI key: (\S+)\n/m.exec(printed) ?? []
      if (!project || !key) continue
      isStarting = false
      return { key, project }
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

  /** A runtime that was started anew knows none, and one that is starting is told when it answers. */
  async setFaults(faults: readonly Fault[]): Promise<void> {
    const deadline = performance.now() + START_LIMIT_MS
    while ((await askWorker(this.url, FAULTS_PATH, faults)) === null) {
      if (performance.now() > deadline) throw new Error('The service does not answer')
      await sleep(ENDED_LOOK_MS)
    }
  }

  /** Everything that it logged. */
  log(): string {
    const files = readdirSync(this.#folder).filter((name) => name.startsWith('service.log'))
    return files.map((name) => readFileSync(join(this.#folder, name), 'utf8')).join('')
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
