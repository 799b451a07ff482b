import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { build } from 'esbuild'
import { ROOT } from './wrangler.ts'

const SOURCE = join(ROOT, 'src', 'dashboard', 'browser')
const ENTRIES = ['page.ts', 'plots.ts', 'style.css']
const BUILT = join(ROOT, 'src', 'assets', 'built.json')

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/**
 * Bundles the scripts and the style sheet of the pages into src/assets/built.json, from which the Worker serves them. Their
 * names carry a hash of what is in them, so that browsers may keep them for ever.
 */
export async function buildAssets(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: ENTRIES.map((entry) => join(SOURCE, entry)),
    outdir: ROOT,
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'eof',
    logLevel: 'warning',
  })
  const assets = outputFiles.map(({ path, text, contents }) => {
    const extension = extname(path)
    const name = basename(path, extension)
    const hash = createHash('sha256').update(contents).digest('hex').slice(0, 12)
    return [basename(path), { file: `${name}-${hash}${extension}`, type: TYPES[extension], text }] as const
  })
  writeWhole(BUILT, `${JSON.stringify(Object.fromEntries(assets.toSorted(byName)), null, 2)}\n`)
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

/** Others may read the file meanwhile: it is replaced at once, and only if it changes. */
function writeWhole(file: string, text: string): void {
  if (readOr(file, '') === text) return
  mkdirSync(join(file, '..'), { recursive: true })
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, file)
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}
