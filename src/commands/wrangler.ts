import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..')
/** What this copy keeps between starts: its data in `state`, and beside it what the commands remember. */
export const DEFAULT_KEPT = join(ROOT, '.wrangler')
export const KEPT = resolve(process.env.MAUVE_STATE || DEFAULT_KEPT)
/** Tells Wrangler where the data is. */
export const HERE = ['--persist-to', join(KEPT, 'state')]
/** Tests put another in its place. */
const WRANGLER = process.env.MAUVE_WRANGLER || join(ROOT, 'node_modules', 'wrangler', 'bin', 'wrangler.js')

/** No questions, no banner; nothing is fetched from outside that the work itself does not need. */
export const QUIET = {
  CI: '1',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  NO_COLOR: '1',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_SEND_METRICS: 'false',
}

export class WranglerError extends Error {
  /** All that Wrangler printed. */
  readonly output: string

  constructor(args: readonly string[], output: string) {
    super(`wrangler ${args.slice(0, 3).join(' ')} failed`)
    this.output = output
  }
}

/** Runs Wrangler with the terminal to itself, for what it must ask a person. Throws `WranglerError`. */
export async function runWranglerInTerminal(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [WRANGLER, ...args], { cwd: ROOT, stdio: 'inherit' })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  if (code !== 0) throw new WranglerError(args, '')
}

/** Runs Wrangler to its end; returns what it printed. Throws `WranglerError`. */
export async function runWrangler(args: readonly string[]): Promise<string> {
  const env = { ...process.env, ...QUIET, WRANGLER_LOG: 'log' }
  const child = spawn(process.execPath, [WRANGLER, ...args], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  let complaints = ''
  child.stdout.on('data', (chunk) => (printed += chunk))
  child.stderr.on('data', (chunk) => (complaints += chunk))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  if (code !== 0) throw new WranglerError(args, printed + complaints)
  return printed
}
