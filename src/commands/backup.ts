import { backup } from './backup/backup.ts'
import { runCommand } from './failure.ts'

await runCommand(() => backup(process.argv.slice(2)))
