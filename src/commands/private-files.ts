import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandFailure } from './failure.ts'
import { DEFAULT_KEPT, KEPT, ROOT } from './wrangler.ts'

const OWNER_ONLY_FOLDER = 0o700
export const OWNER_ONLY_FILE = 0o600
/** A mode without the rights of others. */
const RIGHTS_OF_OWNER = 0o700

/** The files of this copy in its folder (see src/storage/README.md). Others there are not ours. */
const OURS =
  /^(state|bundle|running|demo\.json|restoring\.json|lock|runtime\.sh|service\.log(\.\d)?|dead-letters\.ndjson|(backup|before-restore)-.*|(api-key|sign-in-link|KEY_SEALING_SECRET)-.*\.txt)$/

/** Makes the secret and the files of this copy readable to their owner only. Older copies left them open. */
export function closeToOthers(): void {
  const folder = KEPT === DEFAULT_KEPT ? [KEPT] : []
  // Wrangler would create it open to everybody, and the folder around it may be another user's, and open.
  mkdirSync(join(KEPT, 'state'), { recursive: true, mode: OWNER_ONLY_FOLDER })
  const kept = readdirSync(KEPT).filter((name) => OURS.test(name))
  const paths = [...folder, ...kept.map((name) => join(KEPT, name)), join(ROOT, '.dev.vars')]
  for (const path of paths.filter(existsSync)) close(path)
}

function close(path: string): void {
  try {
    chmodSync(path, statSync(path).mode & RIGHTS_OF_OWNER)
  } catch (error) {
    throw new CommandFailure(`${path} must be readable to its owner only. ${(error as Error).message}`)
  }
}

/** Writes a secret into a file that only its owner can read; returns the path. */
export function writeSecretFile(name: string, secret: string): string {
  mkdirSync(KEPT, { recursive: true, mode: OWNER_ONLY_FOLDER })
  const path = join(KEPT, `${name}-${randomUUID()}.txt`)
  writeFileSync(path, `${secret}\n`, { mode: OWNER_ONLY_FILE, flag: 'wx' })
  return path
}
