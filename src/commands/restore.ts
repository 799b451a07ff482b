import { restore } from './backup/restore.ts'
import { runCommand } from './failure.ts'

await runCommand(() => restore(process.argv.slice(2)))
