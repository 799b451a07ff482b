import { randomBytes, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeSecretFile } from '../private-files.ts'
import { runIfThere } from './run.ts'
import type { TemporaryFile } from './temporary-files.ts'

export const LIST = ['secret', 'list']

/** A new secret on its way to the deployed service. */
export interface Secret {
  readonly name: string
  /** `NAME=value`. */
  readonly line: string
}

/** 32 random bytes. */
export function newSecret(name: string): Secret {
  return { name, line: `${name}=${randomBytes(32).toString('base64')}` }
}

/** The secrets for people to keep. Only a terminal shows them; elsewhere, as in the log of a CI job, stand the files they are in. */
export function linesFor(output: NodeJS.WriteStream, secrets: readonly Secret[]): string {
  const told = secrets.map(({ name, line }) => (output.isTTY ? line : `${name} file: ${writeSecretFile(name, line)}`))
  return told.map((line) => `  ${line}\n`).join('')
}

/** A Worker that was never deployed has none. */
export async function hasSecret(name: string): Promise<boolean> {
  const secrets = JSON.parse((await runIfThere(LIST)) ?? '[]') as { name: string }[]
  return secrets.some((secret) => secret.name === name)
}

export function secretsFile(secrets: readonly Secret[]): TemporaryFile {
  const text = secrets.map(({ line }) => `${line}\n`).join('')
  return { path: join(tmpdir(), `mauve-secret-${randomUUID()}.env`), text }
}
