import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDemo, type DemoCredentials, findDemo, makeDemoLink } from './demo/account.ts'
import { readDeployment } from './deployment.ts'
import { adviceOnDisk, CommandFailure } from './failure.ts'
import { lockFolder } from './local/lock.ts'
import { type LocalService, startService } from './local/service.ts'
import { removeBrokenObjects } from './object-files.ts'
import { readPort, requireFreePort } from './port.ts'
import { closeToOthers } from './private-files.ts'
import { tellRunning } from './running.ts'
import { requireWholeState } from './whole-state.ts'
import { HERE, KEPT, ROOT, runWrangler, WranglerError } from './wrangler.ts'

const SECRET = 'KEY_SEALING_SECRET'
const SECRET_BYTES = 32
const STATE = join(KEPT, 'state')

/** Throws `CommandFailure`. */
export async function start(): Promise<void> {
  const port = readPort(process.env.PORT || undefined)
  closeToOthers()
  lockFolder(KEPT)
  requireWholeState()
  await requireFreePort(port)
  const forget = tellRunning({ state: KEPT, port })
  await ensureSecret(join(ROOT, '.dev.vars'))
  console.log('Preparing the database and starting the service …')
  await migrate()
  removeBrokenObjects()
  const url = `http://localhost:${port}`
  // Before the service runs: the runtime does not wait for a database that somebody else writes to.
  const found = await findDemo()
  const early = found && (await openDemo(url, found))
  const service = await startService(port)
  stopOnSignals(service, forget)
  const { demo, link } = early ?? (await openNewDemo(service))
  // The link and the key also where nobody watches: they open the demo account, which is on this machine only.
  console.log(`Dashboard: ${link}`)
  console.log(`Address: ${service.url}`)
  console.log(`API key: ${demo.apiKey}`)
  console.log(`Project id: ${demo.projectId}`)
  console.log(`Reference: ${service.url}/docs`)
  console.log('Stop with Ctrl-C. For sample data, run "npm run demo" in another terminal.')
}

interface OpenDemo {
  readonly demo: DemoCredentials
  /** Signs in to its pages once. */
  readonly link: string | null
}

async function openDemo(url: string, demo: DemoCredentials): Promise<OpenDemo> {
  return { demo, link: await makeDemoLink(url) }
}

async function openNewDemo({ url, stop }: LocalService): Promise<OpenDemo> {
  try {
    return await openDemo(url, await createDemo(url))
  } catch (error) {
    await stop()
    throw error
  }
}

/** A copy that runs here has a secret of its own, made once and never committed. */
async function ensureSecret(file: string): Promise<void> {
  const present = await readFile(file, 'utf8').catch(() => '')
  const [, secret] = new RegExp(`^\\s*${SECRET}\\s*=\\s*"?([^"\\s]*)`, 'm').exec(present) ?? []
  if (secret === undefined) return addSecret(file, present)
  if (secret.split(',').every((one) => Buffer.from(one, 'base64').length === SECRET_BYTES)) return
  throw new CommandFailure(
    `${SECRET} in .dev.vars must be ${SECRET_BYTES} bytes in base64, as "openssl rand -base64 32" prints them.`,
  )
}

async function addSecret(file: string, present: string): Promise<void> {
  // Written by the first start, when there are private keys.
  if (existsSync(join(KEPT, 'demo.json'))) {
    throw new CommandFailure(
      `.dev.vars has no ${SECRET}, but there is a database already, whose private keys only the old secret opens. ` +
        `Put the secret back, or move ${STATE} away and start again.`,
    )
  }
  const line = `${SECRET}=${randomBytes(SECRET_BYTES).toString('base64')}\n`
  await appendFile(file, present === '' || present.endsWith('\n') ? line : `\n${line}`, { mode: 0o600 })
}

async function migrate(): Promise<void> {
  try {
    for (const { binding } of readDeployment().databases) {
      await runWrangler(['d1', 'migrations', 'apply', binding, '--local', ...HERE])
    }
  } catch (error) {
    if (!(error instanceof WranglerError)) throw error
    throw new CommandFailure(`The local database cannot be migrated. ${adviceOn(error.output)}`)
  }
}

/** Only a broken file is to be put aside; most else passes, above all another start at the same moment. */
function adviceOn(output: string): string {
  if (/SQLITE_(FULL|IOERR)|ENOSPC/.test(output)) return adviceOnDisk()
  const reasons = output.split('\n').filter((line) => line.includes('SQLITE_'))
  if (!/SQLITE_(NOTADB|CORRUPT)/.test(output)) {
    return `Perhaps another "npm start" is running in this folder; otherwise try again. Wrangler said:\n\n${reasons.join('\n') || output.trim()}`
  }
  return `It is in ${STATE} and is damaged: move that folder away (or delete it and lose its data) and start again.\n\n${reasons[0]?.trim()}`
}

/** Ctrl-C, an end from outside, and a terminal that is closed. */
function stopOnSignals(service: LocalService, forget: () => void): void {
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, async () => {
      if (isStopping) return
      isStopping = true
      console.log('\nStoring the last events …')
      await service.stop()
      forget()
      console.log('Stopped.')
      process.exit(0)
    })
  }
}
