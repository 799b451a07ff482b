import { bindDatabases, type Deployment, missingDatabases, readDeployment } from '../deployment.ts'
import { parseOptions } from '../parse-options.ts'
import { type DeployProgress, type Step, stepsOf } from './steps.ts'
import { bundleWorker } from './worker.ts'

const HELP = `Deploys the service to Cloudflare, from nothing or as an update. It can be run again at any time.

  npm run deploy
  npm run deploy -- --dry-run        show the steps and bundle the Worker, without signing in or changing anything
  npm run deploy -- --databases 3    use three databases: create the missing ones and bind them in wrangler.toml

The secret and the first API key are shown in a terminal only. If the output goes elsewhere (a pipe, the log of a CI job), each
goes into a file that only you can read, and the output names it.`

const OPTIONS = {
  'dry-run': { type: 'boolean' },
  databases: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** A namespace has its id from the platform. */
const ID_TO_COME = '0'.repeat(32)

/** Throws `CommandFailure`. */
export async function deploy(args: string[]): Promise<void> {
  const { values: options } = parseOptions({ args, options: OPTIONS }, HELP)
  if (options.help) return console.log(HELP)
  const known = readDeployment()
  const missing = options.databases === undefined ? [] : missingDatabases(options.databases, known)
  const deployment = { ...known, databases: [...known.databases, ...missing] }
  const steps = stepsOf(deployment)
  if (options['dry-run']) return showPlan(steps, deployment)
  // Wrangler reads it for the migrations.
  if (missing.length > 0) bindDatabases(missing)
  await runSteps(steps)
}

async function showPlan(steps: readonly Step[], { namespaces }: Deployment): Promise<void> {
  for (const [index, { title, commands }] of steps.entries()) {
    console.log(`${index + 1}. ${title}`)
    for (const command of commands)
      console.log(command.startsWith('(') ? `     ${command}` : `     wrangler ${command}`)
  }
  await bundleWorker(Object.fromEntries(namespaces.map(({ binding }) => [binding, ID_TO_COME])))
  console.log('The Worker can be bundled. Nothing was changed.')
}

async function runSteps(steps: readonly Step[]): Promise<void> {
  const progress: DeployProgress = { secrets: [], namespaceIds: {}, address: null }
  for (const [index, { title, run }] of steps.entries()) {
    console.log(`${index + 1}. ${title} …`)
    console.log(`   ${await run(progress)}`)
  }
}
