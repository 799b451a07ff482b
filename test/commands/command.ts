import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { format } from 'node:util'
import { expect, vi } from 'vitest'
import { runCommand } from '../../src/commands/failure.ts'

const RUN = join(import.meta.dirname, '..', '..', 'src', 'commands', 'run.ts')

/** What the surroundings of a test would change in a command. */
const READ_BY_COMMANDS = /^(PORT$|MAUVE_|WRANGLER_|CLOUDFLARE_)/
const OF_TESTS = /^(VITEST|NODE_ENV)/

/** Each command, and each Wrangler it starts, would compile the same megabytes again. */
const COMPILED = join(tmpdir(), 'mauve-compile-cache')

/** Where services that tests start tell that they run: not where those of this copy do. */
const RUNNING = join(mkdtempSync(join(tmpdir(), 'mauve-running-')), 'running')

/** A command while it runs. */
export interface Running {
  readonly process: ChildProcess
  /** What it has printed up to now. */
  readonly printed: { stdout: string; stderr: string }
  readonly ended: Promise<Outcome>
}

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Starts a command of `src/commands` with the real Node, as npm does, and nothing but these variables of our own. It has a
 * process group of its own, as in a terminal.
 */
export function startCommand(name: string, args: readonly string[], variables: Record<string, string>): Running {
  return watch([process.execPath, RUN, name, ...args], variables)
}

/** Like `startCommand`, but its output goes to a terminal: what it printed, complaints too, is in `stdout`. */
export function startInTerminal(name: string, args: readonly string[], variables: Record<string, string>): Running {
  const command = [process.execPath, RUN, name, ...args]
  const line = command.map((word) => `'${word}'`).join(' ')
  const terminal = process.platform === 'linux' ? ['-qec', line, '/dev/null'] : ['-q', '/dev/null', ...command]
  return watch(['script', ...terminal], variables)
}

function watch([program = '', ...args]: readonly string[], variables: Record<string, string>): Running {
  const inherited = Object.entries(process.env).filter(([name]) => !READ_BY_COMMANDS.test(name) && !OF_TESTS.test(name))
  const own = { NODE_COMPILE_CACHE: COMPILED, MAUVE_RUNNING: RUNNING, ...variables }
  const env = { ...Object.fromEntries(inherited), ...own } as unknown as NodeJS.ProcessEnv
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const printed = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      // A terminal ends its lines so.
      printed[stream] += chunk.replaceAll('\r', '')
    })
  }
  const ended = new Promise<Outcome>((resolve) => child.once('close', (code) => resolve({ code, ...printed })))
  return { process: child, printed, ended }
}

/** Sets what `runHere` finds in the environment; a command reads it when it is first imported. */
export function setVariables(variables: Record<string, string>): void {
  for (const name of Object.keys(process.env).filter((name) => READ_BY_COMMANDS.test(name))) delete process.env[name]
  Object.assign(process.env, { NODE_COMPILE_CACHE: COMPILED, ...variables })
}

/** Runs a command in this process, which spares the second that a process of its own takes to load. No terminal watches. */
export async function runHere(command: () => Promise<void>): Promise<Outcome> {
  const printed = { stdout: '', stderr: '' }
  const capture = (stream: keyof typeof printed) => (text: unknown) => {
    printed[stream] += `${format(text)}\n`
  }
  const log = vi.spyOn(console, 'log').mockImplementation(capture('stdout'))
  const error = vi.spyOn(console, 'error').mockImplementation(capture('stderr'))
  try {
    await runCommand(command)
    return { code: Number(process.exitCode ?? 0), ...printed }
  } finally {
    process.exitCode = undefined
    log.mockRestore()
    error.mockRestore()
  }
}

/** Lets a server listen on loopback, and returns its address. */
export async function addressOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What is in a file that its owner alone may read. */
export function readSecret(path: string): string {
  expect(statSync(path).mode & 0o777).toBe(0o600)
  return readFileSync(path, 'utf8').trimEnd()
}

/** A folder for `MAUVE_STATE`, so that a test leaves the data of this copy alone. */
export async function newState(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'mauve-'))
}

export async function removeState(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}

/** A local database with all tables, as the first `npm start` leaves it. */
export function createDatabase(file: string): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true })
  const db = new DatabaseSync(file)
  const names = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'))
  for (const name of names.toSorted()) db.exec(readFileSync(join(MIGRATIONS, name), 'utf8'))
  return db
}

export const MIGRATIONS = join(import.meta.dirname, '..', '..', 'migrations')

/** The command failed, said so in a sentence where errors go, and showed nothing of its inside. */
export function expectFailure({ code, stdout, stderr }: Outcome, sentence: string | RegExp): void {
  expect(stderr).toMatch(sentence)
  expect(stderr).not.toMatch(/^\s+at .*[:(]\d+/m)
  expect(stdout).not.toContain('Error')
  expect(code).toBe(1)
}
