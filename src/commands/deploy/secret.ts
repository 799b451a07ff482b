import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new secret on its way to the deployed service. */
export interface SecretFile {
  /** `NAME=value`. */
  readonly line: string
  readonly path: string
  readonly remove: () => Promise<void>
}

/** 32 random bytes in a file that nobody else reads. */
export async function createSecretFile(name: string): Promise<SecretFile> {
  const folder = await mkdtemp(join(tmpdir(), 'mauve-secret-'))
  const path = join(folder, 'secrets.env')
  const line = `${name}=${randomBytes(32).toString('base64')}`
  await writeFile(path, `${line}\n`, { mode: 0o600 })
  return { line, path, remove: () => rm(folder, { recursive: true, force: true }) }
}
