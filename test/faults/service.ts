/** `npm start` with the faulty worker, as a process of its own. */
import { join } from 'node:path'
import { createDemo, findDemo } from '../../src/commands/demo/account.ts'
import { startService } from '../../src/commands/local/service.ts'
import { HERE, runWrangler } from '../../src/commands/wrangler.ts'

await runWrangler(['d1', 'migrations', 'apply', 'DB', '--local', ...HERE])
const known = await findDemo()
const service = await startService(Number(process.env.PORT), join(import.meta.dirname, 'worker.ts'))
const { apiKey } = known ?? (await createDemo(service.url))
console.log(`API key: ${apiKey}`)
