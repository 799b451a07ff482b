import { runCommand } from './failure.ts'
import { importFiles } from './import/import.ts'

await runCommand(() => importFiles(process.argv.slice(2)))
