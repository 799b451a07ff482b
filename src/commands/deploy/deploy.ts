import { FLAG, readCommandLine, TEXT } from '../command-line.ts'
import { bindDatabases, type Deployment, missingDatabases, newJurisdiction, readDeployment } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { type DeployProgress, isPlatformBuild, type Step, stepsOf, stepsOfBuild } from './steps.ts'
import { bundleWorker } from './worker.ts'

const HELP = `Deploys the service to Cloudflare, from nothing or as an update. It can be run again at any time.

  npm run deploy
  npm run deploy -- --dry-run        show the steps and bundle the Worker, without signing in or changing anything
  npm run deploy -- --databases 3    use three databases: create the missing ones and bind them in wrangler.toml
  npm run deploy -- --jurisdiction eu    keep databases and objects in the EU (or: us, fedramp); only on the first deployment

The secret and the first API key are shown in a terminal only. If the output goes elsewhere (a pipe, the log of a CI job), each
goes into a file that only you can read, and the output names it.

In the platform's own build (WORKERS_CI=1), this only migrates the databases and deploys the Worker.`

const OPTIONS = { 'dry-run': FLAG, databases: TEXT, jurisdiction: TEXT }

const NO_OPTIONS = 'Run npm run deploy with them on your machine, and push the wrangler.toml that it changes.'

/** Stands for the id that the platform would give to a namespace. */
const ID_TO_COME = '0'.repeat(32)

export async function deploy(args: string[]): Promise<void> {
  const read = readCommandLine(args, { options: OPTIONS, help: HELP })
  if (!read) return
  const { databases: wanted, 'dry-run': isDry, jurisdiction } = read.values
  const known = readDeployment()
  if (isPlatformBuild()) {
    if (args.length > 0) throw new CommandFailure(`A build of the platform takes no options. ${NO_OPTIONS}`)
    return take(stepsOfBuild(known))
  }
  const missing = wanted === undefined ? [] : missingDatabases(wanted, known)
  const chosen = jurisdiction === undefined ? null : newJurisdiction(jurisdiction, known)
  const databases = [...known.databases, ...missing]
  const deployment = {
    ...known,
    databases,
    jurisdiction: chosen ?? known.jurisdiction,
    isNewJurisdiction: chosen !== null,
  }
  const steps = stepsOf(deployment)
  if (isDry) return showPlan(steps, deployment)
  // Wrangler reads it for the migrations.
  if (missing.length > 0) bindDatabases(missing)
  await take(steps)
}

async function take(steps: readonly Step[]): Promise<void> {
  const progress: DeployProgress = { secrets: [], namespaceIds: {}, address: null }
  for (const [index, { title, run }] of steps.entries()) {
    console.log(`${index + 1}. ${title} …`)
    console.log(`   ${await run(progress)}`)
  }
}

async function showPlan(steps: readonly Step[], { namespaces }: Deployment): Promise<void> {
  for (const [index, { title, commands }] of steps.entries()) {
    console.log(`${index + 1}. ${title}`)
    for (const command of commands) {
      console.log(command.startsWith('(') ? `     ${command}` : `     wrangler ${command}`)
    }
  }
  await bundleWorker(Object.fromEntries(namespaces.map(({ binding }) => [binding, ID_TO_COME])))
  console.log('The Worker can be bundled. Nothing was changed.')
}
