import { account } from './account/account.ts'
import { runCommand } from './failure.ts'

await runCommand(() => account(process.argv.slice(2)))
