import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { CommandFailure } from './failure.ts'

export const ROOT = join(import.meta.dirname, '..', '..')
/** What this copy stores between starts: its data in `state`, and beside that the files of commands. */
export const DEFAULT_KEPT = join(ROOT, '.wrangler')
export const KEPT = resolve(process.env.MAUVE_STATE || DEFAULT_KEPT)
export const STATE = join(KEPT, 'state')
/** Tests replace it. */
const WRANGLER = process.env.MAUVE_WRANGLER || join(ROOT, 'node_modules', 'wrangler', 'bin', 'wrangler.js')

/** No questions, no banner, and no requests that the work itself does not need. */
export const QUIET = {
  CI: '1',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  NO_COLOR: '1',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_SEND_METRICS: 'false',
}

export class WranglerError extends Error {
  /** Everything that Wrangler printed. */
  readonly output: string

  constructor(args: readonly string[], output: string) {
    super(`wrangler ${args.slice(0, 3).join(' ')} failed`)
    this.output = output
  }
}

/** Runs Wrangler with the terminal, for what it must ask a person. Throws `WranglerError`. */
export async function runWranglerInTerminal(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [WRANGLER, ...args], { cwd: ROOT, stdio: 'inherit' })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new WranglerError(args, '')
}

/** Runs Wrangler and returns what it printed. Throws `WranglerError`. */
export async function runWrangler(args: readonly string[]): Promise<string> {
  const env = { ...process.env, ...QUIET, WRANGLER_LOG: 'log' }
  const child = spawn(process.execPath, [WRANGLER, ...args], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  if (code !== 0) throw new WranglerError(args, printed + complaints)
  return printed
}

/** Like `runWrangler`, but a failure is one of the command, in Wrangler's own words. */
export async function run(args: readonly string[]): Promise<string> {
  return runWrangler(args).catch((error) => {
    throw toFailure(error)
  })
}

/** Like `run`, but null if what it asks for does not exist. */
export async function runIfThere(args: readonly string[]): Promise<string | null> {
  return runWrangler(args).catch((error) => {
    if (error instanceof WranglerError && /not found|does not exist/i.test(error.output)) return null
    throw toFailure(error)
  })
}

function toFailure(error: unknown): unknown {
  if (!(error instanceof WranglerError)) return error
  return new CommandFailure(`${error.message}. Wrangler said:\n\n${error.output.trim()}`)
}
