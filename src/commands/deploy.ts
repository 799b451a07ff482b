import { deploy } from './deploy/deploy.ts'
import { runCommand } from './failure.ts'

await runCommand(() => deploy(process.argv.slice(2)))
