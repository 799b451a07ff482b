import { createInterface } from 'node:readline/promises'
import { CommandFailure } from './failure.ts'

interface Confirming {
  /** A sentence that says what is about to be done. */
  readonly what: string
  /** Whether it was confirmed on the command line. */
  readonly yes: boolean
}

/** Asks before something permanent. Throws `CommandFailure` if the answer is not yes, or there is no terminal to ask. */
export async function confirm({ what, yes }: Confirming): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new CommandFailure(`${what} This cannot be undone: confirm it with --yes.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const said = await terminal.question(`${what} This cannot be undone. Continue? (yes/no) `)
    if (said.trim().toLowerCase() !== 'yes') throw new CommandFailure('Nothing was changed.')
  } finally {
    terminal.close()
  }
}
