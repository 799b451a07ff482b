import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findOrCreateDemo, makeDemoLink } from '../demo/account.ts'
import type { DemoCredentials } from '../demo/credentials.ts'
import { lockFolder } from '../local/lock.ts'
import { type LocalService, startService } from '../local/service.ts'
import { takeOverFormerFile } from './dead-letters/former-file.ts'
import { readDeployment } from './deployment.ts'
import { CommandFailure, runCommand } from './failure.ts'
import { DEFAULT_PORT, readPort, requireFreePort } from './port.ts'
import { closeToOthers } from './private-files.ts'
import { HERE, KEPT, ROOT, runWrangler, WranglerError } from './wrangler.ts'

const SECRET = 'KEY_SEALING_SECRET'
const SECRET_BYTES = 32
const STATE = join(KEPT, 'state')

await runCommand(start)

async function start(): Promise<void> {
  const port = readPort(process.env.PORT || undefined)
  closeToOthers()
  lockFolder(KEPT)
  await requireFreePort(port)
  await ensureSecret(join(ROOT, '.dev.vars'))
  console.log('Preparing the database and starting the service …')
  await migrate()
  const letters = await takeOverFormerFile()
  if (letters > 0)
    console.log(`${letters} dead letters of the release before lie in the database now: npm run dead-letters -- list`)
  // Written before the service holds the database. The first start has no account yet.
  const early = await makeDemoLink(`http://localhost:${port}`)
  const service = await startService(port)
  stopOnSignals(service)
  const { demo, link } = await openDemo(service.url, early).catch(async (error) => {
    await service.stop()
    throw error
  })
  // The link and the key also where nobody watches: they open the demo account, which is on this machine only.
  console.log(`Dashboard: ${link}`)
  console.log(`Address: ${service.url}`)
  console.log(`API key: ${demo.apiKey}`)
  console.log(`Project id: ${demo.projectId}`)
  console.log(`Reference: ${service.url}/docs`)
  const demoCommand = port === DEFAULT_PORT ? 'npm run demo' : `PORT=${port} npm run demo`
  console.log(`Ctrl-C stops it. A history to play with: ${demoCommand}, in another terminal.`)
}

async function openDemo(url: string, early: string | null): Promise<{ demo: DemoCredentials; link: string | null }> {
  const demo = await findOrCreateDemo(url)
  return { demo, link: early ?? (await makeDemoLink(url)) }
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
        `Put the secret back, or put ${STATE} aside and start anew.`,
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
    throw new CommandFailure(`The local database cannot be brought up to date. ${adviceOn(error.output)}`)
  }
}

/** Only a broken file is to be put aside; most else passes, above all another start at the same moment. */
function adviceOn(output: string): string {
  const reasons = output.split('\n').filter((line) => line.includes('SQLITE_'))
  if (!/SQLITE_(NOTADB|CORRUPT)/.test(output)) {
    return `Perhaps another "npm start" is running in this folder; otherwise try again. What Wrangler said:\n\n${reasons.join('\n') || output.trim()}`
  }
  return `It is in ${STATE} and is damaged: put that folder aside (or delete it, and lose its data) and start again.\n\n${reasons[0]?.trim()}`
}

/** Ctrl-C, an end from outside, and a terminal that is closed. */
function stopOnSignals(service: LocalService): void {
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, async () => {
      if (isStopping) return
      isStopping = true
      console.log('\nStoring the last events …')
      await service.stop()
      console.log('Stopped.')
      process.exit(0)
    })
  }
}
