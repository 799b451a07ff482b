import { type ParseArgsConfig, parseArgs } from 'node:util'
import { CommandFailure } from './failure.ts'

/** What the command line says, as `parseArgs` reads it. Throws `CommandFailure`, with the help, where it cannot be read. */
export function parseOptions<T extends ParseArgsConfig>(config: T, help: string): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new CommandFailure(`${(error as Error).message}\n\n${help}`)
  }
}
