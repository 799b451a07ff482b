import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { KEPT, ROOT, runWrangler } from '../wrangler.ts'

/** The service as one module. */
export const BUNDLE = join(KEPT, 'bundle')
/** The Worker and the local queue. */
export const WORKER = join(import.meta.dirname, 'worker.ts')
/** What the bundle was made from. */
const SOURCE = join(BUNDLE, 'source')

/** What a bundle is made from: the code, the configuration and the packages as they are installed. */
const CODE = join(ROOT, 'src')
const FILES = ['wrangler.toml', 'package.json', 'node_modules/.package-lock.json']
/** The build makes these from the rest. */
const BUILT = /^(http\/assets\/(built\.json|static\/)|client\/(dist\/|api\/operations\.ts))/

/** Bundles a worker's file; the service itself only if something has changed since the last time, because it takes seconds. */
export async function bundleService(worker = WORKER): Promise<void> {
  const source = worker === WORKER ? fingerprint() : 'another worker'
  if (worker === WORKER && existsSync(SOURCE) && readFileSync(SOURCE, 'utf8') === source) return
  await rm(BUNDLE, { recursive: true, force: true })
  await runWrangler(['deploy', worker, '--dry-run', '--outdir', BUNDLE])
  await writeFile(SOURCE, source)
}

function fingerprint(): string {
  const code = readdirSync(CODE, { recursive: true, encoding: 'utf8' })
    .filter((file) => extname(file) !== '' && !BUILT.test(file.replaceAll('\\', '/')))
    .map((file) => join(CODE, file))
  const hash = createHash('sha256')
  for (const file of [...code.toSorted(), ...FILES.map((name) => join(ROOT, name))]) {
    if (existsSync(file)) hash.update(`${file}\0`).update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}
