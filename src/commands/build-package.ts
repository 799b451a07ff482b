import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildApi } from './build-api.ts'
import { ROOT } from './wrangler.ts'

const PACKAGE = join(ROOT, 'src', 'client')
const BUILT = join(PACKAGE, 'dist')
const COMPILER = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')

/** Compiles the clients to what `npm pack` puts into its package: a module and its declarations for each source. */
await buildApi()
rmSync(BUILT, { recursive: true, force: true })
const { status } = spawnSync(process.execPath, [COMPILER, '-p', join(PACKAGE, 'tsconfig.build.json')], {
  stdio: 'inherit',
})
if (status === 0) finish()
else process.exitCode = 1

function finish(): void {
  const files = readdirSync(BUILT, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((file) => file.endsWith('.d.ts'))) nameModules(join(BUILT, file))
  copyFileSync(join(ROOT, 'LICENSE'), join(PACKAGE, 'LICENSE'))
}

/** The compiler names modules as they are built in the modules alone; declarations still name the sources, which nobody gets. */
function nameModules(declarations: string): void {
  const text = readFileSync(declarations, 'utf8')
  writeFileSync(declarations, text.replaceAll(/(\bfrom |\bimport\()(['"])(\.[^'"]*)\.tsx?\2/g, '$1$2$3.js$2'))
}
