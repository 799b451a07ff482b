/** `npm start` with the faulty worker, as a process of its own. */
import { join } from 'node:path'
import { bundleService } from '../../src/commands/local/bundle.ts'
import { openDemoAccount, registerDemo } from '../../src/commands/local/demo-account.ts'
import { startService } from '../../src/commands/local/service.ts'
import { migrateLocally } from '../../src/commands/local-migrations.ts'

migrateLocally('DB')
const account = await openDemoAccount()
const port = Number(process.env.PORT)
const worker = join(import.meta.dirname, 'worker.ts')
await bundleService(worker)
await startService(port, worker)
const { apiKey } = await registerDemo(account, `http://localhost:${port}`)
console.log(`API key: ${apiKey}`)
