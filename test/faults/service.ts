/** `npm start` with the faulty worker, as a process of its own. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BUNDLE, bundleService } from '../../src/commands/local/bundle.ts'
import { openDemoAccount, registerDemo } from '../../src/commands/local/demo-account.ts'
import { startService } from '../../src/commands/local/service.ts'
import { migrateLocally } from '../../src/commands/local-migrations.ts'
import { ensureSecret } from '../../src/commands/start.ts'
import { ROOT } from '../../src/commands/wrangler.ts'

ensureSecret(join(ROOT, '.dev.vars'))
migrateLocally('DB')
const account = await openDemoAccount()
const port = Number(process.env.PORT)
const worker = join(import.meta.dirname, 'worker.ts')
// Once for a run: a service that was killed starts again as quickly as it can.
if (!existsSync(BUNDLE)) await bundleService(worker)
await startService(port, worker)
const { apiKey, projectId } = await registerDemo(account, `http://localhost:${port}`)
console.log(`Project id: ${projectId}`)
console.log(`API key: ${apiKey}`)
