/** A failure of a command that its user can do something about; the message is a whole sentence that says what. */
export class CommandFailure extends Error {}

/** Runs a command; a failure is told in its sentence, without a stack, and ends the process with 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    const failure = findFailure(error)
    if (!failure) throw error
    console.error(failure.message)
    process.exitCode = 1
  }
}

/** The query builder wraps what goes wrong in a query. */
function findFailure(error: unknown): CommandFailure | null {
  if (error instanceof CommandFailure) return error
  return error instanceof Error ? findFailure(error.cause) : null
}
