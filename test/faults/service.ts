/** `npm start` with the faulty worker, as a process of its own. */
import { join } from 'node:path'
import { HERE, runWrangler } from '../../src/commands/wrangler.ts'
import { findOrCreateDemo } from '../../src/demo/account.ts'
import { startService } from '../../src/local/service.ts'

await runWrangler(['d1', 'migrations', 'apply', 'DB', '--local', ...HERE])
const service = await startService(Number(process.env.PORT), join(import.meta.dirname, 'worker.ts'))
const { apiKey } = await findOrCreateDemo(service.url)
console.log(`API key: ${apiKey}`)
