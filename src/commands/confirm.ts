import { createInterface } from 'node:readline/promises'
import { CommandFailure } from './failure.ts'

interface Confirming {
  /** What is about to be done: a whole sentence. */
  readonly what: string
  /** Whether it was confirmed on the command line. */
  readonly yes: boolean
}

/** Asks before something goes for good. Throws `CommandFailure` where nobody says yes, or nobody is there to be asked. */
export async function confirm({ what, yes }: Confirming): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new CommandFailure(`${what} It cannot be taken back: confirm it with --yes.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const said = await terminal.question(`${what} It cannot be taken back. Go on? (yes/no) `)
    if (said.trim().toLowerCase() !== 'yes') throw new CommandFailure('Nothing was changed.')
  } finally {
    terminal.close()
  }
}
