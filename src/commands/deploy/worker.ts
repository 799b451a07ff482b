import { randomBytes, randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { OWNER_ONLY_FILE, writeSecretFile } from '../private-files.ts'
import { ROOT, run, runIfThere } from '../wrangler.ts'

export interface Secret {
  readonly name: string
  /** `NAME=value`. */
  readonly line: string
}

export function newSecret(name: string): Secret {
  return { name, line: `${name}=${randomBytes(32).toString('base64')}` }
}

/** Shows secrets in a terminal; for other outputs, such as the log of a CI job, writes files and names them. */
export function linesFor(output: NodeJS.WriteStream, secrets: readonly Secret[]): string {
  const lines = secrets.map(({ name, line }) => (output.isTTY ? line : `${name} file: ${writeSecretFile(name, line)}`))
  return lines.map((line) => `  ${line}\n`).join('')
}

/** A Worker that was never deployed has no secrets. */
export async function hasSecret(name: string): Promise<boolean> {
  const secrets = JSON.parse((await runIfThere(['secret', 'list'])) ?? '[]') as { name: string }[]
  return secrets.some((secret) => secret.name === name)
}

interface Deploying {
  /** The id of each KV namespace, by binding. */
  readonly namespaceIds: Readonly<Record<string, string>>
  /** Secrets that the Worker does not have yet. */
  readonly secrets: readonly Secret[]
}

/** Returns the address of the service if Wrangler names it. */
export async function deployWorker({ namespaceIds, secrets }: Deploying): Promise<string | null> {
  const config = configWith(namespaceIds)
  const text = secrets.map(({ line }) => `${line}\n`).join('')
  const files = secrets.length > 0 ? [{ path: join(tmpdir(), `mauve-secret-${randomUUID()}.env`), text }] : []
  const args = ['deploy', '--config', config.path, ...files.flatMap(({ path }) => ['--secrets-file', path])]
  const onSignal = () => console.error(whereUsed('Interrupted. If the Worker was deployed nevertheless,', secrets))
  const printed = await withFiles({ files: [config, ...files], onSignal }, () =>
    run(args).catch((error) => explain(error, secrets)),
  )
  return addressIn(printed)
}

/** The address that Wrangler printed; null if it named none. */
export function addressIn(printed: string): string | null {
  return /^\s*(https?:\/\/\S+)\s*$/m.exec(printed)?.[1] ?? null
}

export async function bundleWorker(namespaceIds: Readonly<Record<string, string>>): Promise<void> {
  const config = configWith(namespaceIds)
  const onSignal = () => undefined
  await withFiles({ files: [config], onSignal }, () => run(['deploy', '--dry-run', '--config', config.path]))
}

/** The Worker has its secrets as soon as it is uploaded; a later part of the deployment may have failed. */
async function explain(error: unknown, secrets: readonly Secret[]): Promise<never> {
  const [secret] = secrets
  if (!secret || !(error instanceof CommandFailure)) throw error
  const isUsed = await hasSecret(secret.name).catch(() => null)
  const where = isUsed ? 'The Worker has its new secret already:' : 'If the Worker was deployed nevertheless,'
  const unused = `The new ${secret.name} was not used; the next run creates another.`
  throw new CommandFailure(`${error.message}\n\n${isUsed === false ? unused : whereUsed(where, secrets)}`)
}

function whereUsed(where: string, secrets: readonly Secret[]): string {
  if (secrets.length === 0) return 'Interrupted. Run this again to continue.'
  return `${where} keep this in a safe place; it is shown only now:\n\n${linesFor(process.stderr, secrets)}`
}

interface TemporaryFile {
  readonly path: string
  readonly text: string
}

/**
 * wrangler.toml with the ids of namespaces: Wrangler does not find them by their titles, and would create them again. The file is
 * beside wrangler.toml, so that relative paths in it are right.
 */
function configWith(namespaceIds: Readonly<Record<string, string>>): TemporaryFile {
  const config = readConfig()
  const namespaces = config.kv_namespaces?.map((namespace) => ({ id: namespaceIds[namespace.binding], ...namespace }))
  const path = join(ROOT, `.wrangler-deploy-${randomUUID()}.json`)
  return { path, text: JSON.stringify({ ...config, kv_namespaces: namespaces }) }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

interface Files {
  readonly files: readonly TemporaryFile[]
  /** Called before a signal ends the process. */
  readonly onSignal: () => void
}

/** Writes files that only the owner can read, for the time of the work; a signal deletes them, too. */
async function withFiles<Result>({ files, onSignal }: Files, work: () => Promise<Result>): Promise<Result> {
  const remove = () => {
    for (const { path } of files) rmSync(path, { force: true })
  }
  const end = (signal: NodeJS.Signals) => {
    remove()
    onSignal()
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of SIGNALS) process.on(signal, end)
  try {
    for (const { path, text } of files) writeFileSync(path, text, { mode: OWNER_ONLY_FILE, flag: 'wx' })
    return await work()
  } finally {
    remove()
    for (const signal of SIGNALS) process.off(signal, end)
  }
}
