import { deadLetters } from './dead-letters/dead-letters.ts'
import { runCommand } from './failure.ts'

await runCommand(() => deadLetters(process.argv.slice(2)))
