import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandFailure } from './failure.ts'
import { KEPT, ROOT } from './wrangler.ts'

const OWNER_ONLY_FOLDER = 0o700
export const OWNER_ONLY_FILE = 0o600
/** The rights of everybody but the owner are left out of a mode. */
const RIGHTS_OF_OWNER = 0o700

/** Closes the folder of what this copy keeps, what lies in it, and the secret to others; older copies left them open. */
export function closeToOthers(): void {
  mkdirSync(KEPT, { recursive: true, mode: OWNER_ONLY_FOLDER })
  const kept = readdirSync(KEPT).map((name) => join(KEPT, name))
  for (const path of [KEPT, ...kept, join(ROOT, '.dev.vars')].filter(existsSync)) close(path)
}

function close(path: string): void {
  try {
    chmodSync(path, statSync(path).mode & RIGHTS_OF_OWNER)
  } catch (error) {
    throw new CommandFailure(`${path} must be readable to its owner only. ${(error as Error).message}`)
  }
}

/** Writes a secret where only the owner of this copy reads it; returns the path. */
export function writeSecretFile(name: string, secret: string): string {
  mkdirSync(KEPT, { recursive: true, mode: OWNER_ONLY_FOLDER })
  const path = join(KEPT, `${name}-${randomUUID()}.txt`)
  writeFileSync(path, `${secret}\n`, { mode: OWNER_ONLY_FILE, flag: 'wx' })
  return path
}
