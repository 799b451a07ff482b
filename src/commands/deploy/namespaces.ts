import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { readConfig } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { ROOT } from '../wrangler.ts'
import { run } from './run.ts'
import type { TemporaryFile } from './temporary-files.ts'

export const LIST = ['kv', 'namespace', 'list']

/** Of each binding, the id of its namespace. */
export type NamespaceIds = Readonly<Record<string, string>>

/** Returns the id of the namespace with this title, and whether it was made for this. */
export async function findOrCreate(title: string): Promise<{ id: string; isNew: boolean }> {
  const known = await findId(title)
  if (known) return { id: known, isNew: false }
  const printed = await run(['kv', 'namespace', 'create', title])
  const id = /\bid"?\s*[:=]\s*"([0-9a-f]{32})"/.exec(printed)?.[1] ?? (await findId(title))
  if (!id) throw new CommandFailure(`The KV namespace ${title} was created, but is not listed yet. Run this again.`)
  return { id, isNew: true }
}

async function findId(title: string): Promise<string | undefined> {
  const namespaces = JSON.parse(await run(LIST)) as { id: string; title: string }[]
  return namespaces.find((namespace) => namespace.title === title)?.id
}

/**
 * wrangler.toml with the ids of the namespaces, which Wrangler does not find by their titles: without them a deployment
 * makes them, and fails when they are there. It lies beside wrangler.toml, where the paths in it hold.
 */
export function configWith(ids: NamespaceIds): TemporaryFile {
  const config = readConfig()
  const namespaces = config.kv_namespaces?.map((namespace) => ({ id: ids[namespace.binding], ...namespace }))
  const path = join(ROOT, `.wrangler-deploy-${randomUUID()}.json`)
  return { path, text: JSON.stringify({ ...config, kv_namespaces: namespaces }) }
}
