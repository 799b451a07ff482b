import { CommandFailure } from '../failure.ts'
import { runWrangler, WranglerError } from '../wrangler.ts'

/** Runs Wrangler to its end; returns what it printed. A failure is told in Wrangler's own words. */
export async function run(args: readonly string[]): Promise<string> {
  return runWrangler(args).catch((error) => {
    throw toFailure(error)
  })
}

/** Like `run`, but null where what it asks for does not exist. */
export async function runIfThere(args: readonly string[]): Promise<string | null> {
  try {
    return await runWrangler(args)
  } catch (error) {
    if (error instanceof WranglerError && /not found|does not exist/i.test(error.output)) return null
    throw toFailure(error)
  }
}

function toFailure(error: unknown): unknown {
  if (!(error instanceof WranglerError)) return error
  return new CommandFailure(`${error.message}. Wrangler said:\n\n${error.output.trim()}`)
}
