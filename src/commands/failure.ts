/** A failure of a command that its user can do something about; the message is a whole sentence that says what. */
export class CommandFailure extends Error {}

/** Runs a command; a failure is told in its sentence, without a stack, and ends the process with 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
