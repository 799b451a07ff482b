import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { localAddress, publicAddress, readCommandLine, readPort } from './command-line.ts'
import { readDeployment } from './deployment.ts'
import { CommandFailure, isOfDisk } from './failure.ts'
import { bundleService } from './local/bundle.ts'
import { makeDemoLink, openDemoAccount, registerDemo } from './local/demo-account.ts'
import { startService } from './local/service.ts'
import { migrateLocally } from './local-migrations.ts'
import { removeBrokenObjects } from './object-files.ts'
import { closeToOthers } from './private-files.ts'
import { announce, lockFolder } from './running.ts'
import { requireWholeState } from './whole-state.ts'
import { KEPT, ROOT, STATE } from './wrangler.ts'

const SECRET = 'KEY_SEALING_SECRET'
const SECRET_BYTES = 32

const VARIABLES = ['PORT', 'MAUVE_STATE', 'MAUVE_HOST', 'MAUVE_ADDRESS']

const HELP = `Starts the service on this machine, with its data in .wrangler, and prints its address and a key.

  npm start
  PORT=9000 npm start

  --help, -h   this text

  PORT         where it listens; default 8787
  MAUVE_STATE  another folder for its data
  MAUVE_HOST   the address of this machine on which it listens; default 127.0.0.1, which nobody else reaches
  MAUVE_ADDRESS
               where people reach it through a proxy with TLS, such as https://mauve.example. The proxy's
               X-Forwarded-For is believed then, so nobody else may reach the port`

export async function start(args: string[]): Promise<void> {
  if (!readCommandLine(args, { options: {}, help: HELP, variables: VARIABLES })) return
  const port = readPort()
  closeToOthers()
  lockFolder(KEPT, 'Stop it first, or name another folder: MAUVE_STATE=… npm start')
  requireWholeState()
  await requireFreePort(port)
  const withdraw = announce({ state: KEPT, port })
  ensureSecret(join(ROOT, '.dev.vars'))
  console.log('Preparing the database and starting the service …')
  migrate()
  await bundleService()
  removeBrokenObjects()
  const [url, address] = [localAddress(), publicAddress()]
  // Before the service runs: the runtime does not wait for a database that another process writes to.
  const account = await openDemoAccount()
  const link = await makeDemoLink(account, address)
  const stop = await startService(port)
  stopOnSignals(stop, withdraw)
  const demo = await registerDemo(account, url).catch(async (error) => {
    await stop()
    throw error
  })
  // The link and the key are printed even without a terminal: they open only the demo account, which is on this machine.
  console.log(`Dashboard: ${link}`)
  console.log(`Address: ${address}`)
  console.log(`API key: ${demo.apiKey}`)
  console.log(`Project id: ${demo.projectId}`)
  console.log(`Reference: ${address}/docs`)
  console.log('Stop with Ctrl-C. For sample data, run "npm run demo" in another terminal.')
}

/** Throws `CommandFailure` if the service could not listen. */
async function requireFreePort(port: number): Promise<void> {
  for (const host of ['127.0.0.1', '::1']) {
    const problem = await tryToListen(port, host)
    if (problem === 'EADDRINUSE') {
      throw new CommandFailure(
        `Port ${port} is in use. Stop the program that uses it, or choose another: PORT=${port + 1} npm start`,
      )
    }
    if (problem === 'EACCES') {
      throw new CommandFailure(`Port ${port} needs more rights. Choose one above 1023: PORT=8787 npm start`)
    }
  }
}

function tryToListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}

/** A local service has a secret of its own, created once and never committed. */
export function ensureSecret(file: string): void {
  const present = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const [, secret] = new RegExp(`^\\s*${SECRET}\\s*=\\s*"?([^"\\s]*)`, 'm').exec(present) ?? []
  if (secret === undefined) addSecret(file, present)
  else if (!secret.split(',').every((one) => Buffer.from(one, 'base64').length === SECRET_BYTES)) {
    throw new CommandFailure(
      `${SECRET} in .dev.vars must be ${SECRET_BYTES} bytes in base64, as "openssl rand -base64 32" prints them.`,
    )
  }
}

function addSecret(file: string, present: string): void {
  // The first start writes it, so there are private keys.
  if (existsSync(join(KEPT, 'demo.json'))) {
    throw new CommandFailure(
      `.dev.vars has no ${SECRET}, but there is a database already, whose private keys only the old secret opens. ` +
        `Put the secret back, or move ${STATE} away and start again.`,
    )
  }
  const line = `${SECRET}=${randomBytes(SECRET_BYTES).toString('base64')}\n`
  appendFileSync(file, present === '' || present.endsWith('\n') ? line : `\n${line}`, { mode: 0o600 })
}

function migrate(): void {
  try {
    for (const { id } of readDeployment().databases) migrateLocally(id)
  } catch (error) {
    const { code, errcode, message } = error as Error & { code?: unknown; errcode?: number }
    if (code !== 'ERR_SQLITE_ERROR' || isOfDisk(error as Error)) throw error
    throw new CommandFailure(`The local database cannot be migrated. ${adviceOn(errcode)}\n\n${message}`)
  }
}

const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

/** Only a broken file is to be moved away. Most other problems pass, above all another start at the same moment. */
function adviceOn(errcode: number | undefined): string {
  if (errcode !== SQLITE_CORRUPT && errcode !== SQLITE_NOTADB) {
    return 'Perhaps another "npm start" is running in this folder; otherwise try again. SQLite said:'
  }
  return `It is in ${STATE} and is damaged: move that folder away (or delete it and lose its data) and start again.`
}

/** For Ctrl-C, `kill`, and a terminal that is closed. */
function stopOnSignals(stop: () => Promise<void>, withdraw: () => void): void {
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, async () => {
      if (isStopping) return
      isStopping = true
      console.log('\nStoring the last events …')
      await stop()
      withdraw()
      console.log('Stopped.')
      process.exit(0)
    })
  }
}
