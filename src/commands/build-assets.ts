import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { minify } from 'terser'
import { readCommandLine } from './command-line.ts'
import { writeWhole } from './whole-file.ts'
import { ROOT } from './wrangler.ts'

const ASSETS = join(ROOT, 'src', 'http', 'assets')
const BUILT = join(ASSETS, 'built.json')
/** The files that the platform stores beside the Worker: `[assets]` in wrangler.toml. */
const STATIC = join(ASSETS, 'static')

/** Draws the reference from the OpenAPI document. It is larger than everything that the Worker contains. */
const REFERENCE_LIBRARY = join(ROOT, 'node_modules/@scalar/fastify-api-reference/dist/js/standalone.js')

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** Scripts and the style sheet of our own pages: for browsers of these years. */
const OUR_PAGES: BuildOptions = {
  entryPoints: ['page.ts', 'plots.ts', 'reference.ts', 'style.css'].map((entry) =>
    join(ROOT, 'src', 'dashboard', 'browser', entry),
  ),
  format: 'esm',
  target: 'es2022',
  legalComments: 'eof',
}

/**
 * The tracking client, for other people's pages: a plain script that leaves no name behind. The messenger shows mini-apps in
 * the web view of the system. Those of Android and Windows are kept up to date; of the others the oldest that are about are of
 * early 2020 (iOS 13.4, macOS 10.13 with Safari 13.1). Older syntax would be 4 % more bytes for each reader.
 */
const OTHERS_PAGES: BuildOptions = {
  entryPoints: { client: join(ROOT, 'src', 'client', 'script.ts') },
  format: 'iife',
  target: 'es2020',
  legalComments: 'none',
  // Names and spaces are left to `squeeze`. Not `strict`: that would put "use strict" before it, 8 bytes.
  minify: false,
  minifySyntax: true,
  tsconfigRaw: { compilerOptions: { strict: false } },
}

/** What the client loads on demand, as a module. */
const FURTHER: BuildOptions = {
  ...OTHERS_PAGES,
  entryPoints: { further: join(ROOT, 'src', 'client', 'capture', 'further.ts') },
  format: 'esm',
}

const HELP = 'Bundles what browsers load: npm run build'

/**
 * Bundles what browsers load into src/http/assets/built.json, from which the Worker serves it, and copies the library of the reference
 * beside it. Names carry a hash of what is in them, so that browsers may keep them for ever.
 */
export async function buildAssets(args: string[] = []): Promise<void> {
  if (!readCommandLine(args, { options: {}, help: HELP })) return
  const othersPages = { ...(await bundle(OTHERS_PAGES, squeeze)), ...(await bundle(FURTHER, squeeze)) }
  const built = { ourPages: await bundle(OUR_PAGES), othersPages, referenceLibrary: copyLibrary() }
  writeWhole(BUILT, `${JSON.stringify(built, null, 2)}\n`)
}

/** Finds some 5 % that the bundler leaves, mostly functions that are called once. None of ours is a constructor. */
async function squeeze(script: string): Promise<string> {
  const { code = '' } = await minify(script, { ecma: 2020, compress: { passes: 3, unsafe: true, unsafe_arrows: true } })
  return code
}

/** Returns the name of the copy. */
function copyLibrary(): string {
  const text = readFileSync(REFERENCE_LIBRARY, 'utf8')
  const file = `scalar-${hashOf(text)}.js`
  writeWhole(join(STATIC, file), text)
  const outdated = readdirSync(STATIC).filter((name) => name.endsWith('.js') && name !== file)
  for (const name of outdated) rmSync(join(STATIC, name), { force: true })
  return file
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

async function bundle(options: BuildOptions, finish = async (text: string) => text) {
  const { outputFiles } = await build({
    minify: true,
    ...options,
    outdir: ROOT,
    bundle: true,
    write: false,
    logLevel: 'warning',
  })
  const assets = (outputFiles ?? []).map(async ({ path, text: bundled }) => {
    const text = await finish(bundled)
    const extension = extname(path)
    const hash = hashOf(text)
    const file = `${basename(path, extension)}-${hash}${extension}`
    return [basename(path), { file, hash, type: TYPES[extension], text }] as const
  })
  return Object.fromEntries((await Promise.all(assets)).toSorted(byName))
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}
