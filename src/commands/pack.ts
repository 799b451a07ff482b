import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandLine, TEXT } from './command-line.ts'
import { CommandFailure } from './failure.ts'
import { ROOT } from './wrangler.ts'

const HELP = `Builds the package of the clients, ready to be published, and checks what others find in it.

  npm run pack
  npm run pack -- --to FOLDER

  --to FOLDER  where the package goes; default: the current folder
  --help, -h   this text`

const PROGRAMS = join(ROOT, 'node_modules', '.bin')

/** The package has modules only: Node 20.19 and later let CommonJS require them. */
const PROFILE = 'esm-only'

export async function pack(args: string[]): Promise<void> {
  const read = readCommandLine(args, { options: { to: TEXT }, help: HELP })
  if (!read) return
  const folder = read.values.to ?? process.cwd()
  const source = join(ROOT, 'src', 'client')
  const [packed] = JSON.parse(run('npm', ['pack', source, '--json', '--silent', '--pack-destination', folder]))
  const file = join(folder, packed.filename)
  try {
    run(join(PROGRAMS, 'publint'), ['run', file, '--strict'])
    run(join(PROGRAMS, 'attw'), [file, '--profile', PROFILE, '--no-emoji'])
  } catch (error) {
    rmSync(file)
    throw error
  }
  console.log(`${file} (${packed.name} ${packed.version}, ${Math.ceil(packed.size / 1000)} KB)`)
}

/** Runs a program of npm's, or one that is installed here; returns what it prints. Throws `CommandFailure` if it fails. */
function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8', shell: ON_WINDOWS })
  if (status === 0) return stdout
  throw new CommandFailure(`${program} ${args[0]} failed:\n\n${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`)
}

const ON_WINDOWS = process.platform === 'win32'
