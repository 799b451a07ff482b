import { CommandFailure } from '../failure.ts'
import { configWith, type NamespaceIds } from './namespaces.ts'
import { run } from './run.ts'
import { hasSecret, linesFor, type Secret, secretsFile } from './secret.ts'
import { withFiles } from './temporary-files.ts'

interface Deploying {
  readonly namespaceIds: NamespaceIds
  /** Those that the Worker does not have yet. */
  readonly secrets: readonly Secret[]
}

/** Returns the address at which the service answers, where Wrangler names one. */
export async function deployWorker({ namespaceIds, secrets }: Deploying): Promise<string | null> {
  const config = configWith(namespaceIds)
  const handedOver = secrets.length > 0 ? [secretsFile(secrets)] : []
  const args = ['deploy', '--config', config.path, ...handedOver.flatMap(({ path }) => ['--secrets-file', path])]
  const onSignal = () => console.error(whereUsed('Interrupted. Where the Worker was deployed nevertheless,', secrets))
  const printed = await withFiles({ files: [config, ...handedOver], onSignal }, () =>
    run(args).catch((error) => tellOfSecrets(error, secrets)),
  )
  return /^\s*(https?:\/\/\S+)\s*$/m.exec(printed)?.[1] ?? null
}

/** Bundles it, as a deployment would. */
export async function bundleWorker(namespaceIds: NamespaceIds): Promise<void> {
  const config = configWith(namespaceIds)
  const onSignal = () => undefined
  await withFiles({ files: [config], onSignal }, () => run(['deploy', '--dry-run', '--config', config.path]))
}

/** The Worker has its secrets from its upload on; what fails may come after that. */
async function tellOfSecrets(error: unknown, secrets: readonly Secret[]): Promise<never> {
  const [secret] = secrets
  if (!secret || !(error instanceof CommandFailure)) throw error
  throw new CommandFailure(`${error.message}\n\n${await fateOf(secret, secrets)}`)
}

async function fateOf({ name }: Secret, secrets: readonly Secret[]): Promise<string> {
  const isUsed = await hasSecret(name).catch(() => null)
  if (isUsed === false) return `The new ${name} was not used; the next run makes another.`
  return whereUsed(
    isUsed ? 'The Worker has its new secret already:' : 'Where the Worker was deployed nevertheless,',
    secrets,
  )
}

function whereUsed(where: string, secrets: readonly Secret[]): string {
  if (secrets.length === 0) return 'Interrupted. Run this again to go on.'
  return `${where} keep this in a safe place; it is told only now:\n\n${linesFor(process.stderr, secrets)}`
}
