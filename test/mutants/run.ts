import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import type { RoomMutant } from './mutant.ts'
import { MUTANTS } from './mutants.ts'
import { type Patched, patch } from './patch.ts'
import { openTests, type Ran, type Tests } from './tests.ts'

// Breaks a copy of this checkout in one way after another, and asks for each whether the tests notice.

const USAGE = `npm run mutants -- [NAME…]
  --list      one line each, and runs none
  --part N    one of five parts, from 1
  --today     the part whose turn it is`

/** Each takes about two minutes of a processor, so that a run of the CI has room for one. */
const PARTS = 5

/** For so long a property is tried with random cases until one fails. */
const CASES_MS = 2_000

/** What the tests need of a checkout. */
const COPIED = ['src', 'test', 'migrations', 'docs', 'package.json', 'wrangler.toml', 'tsconfig.json']

const root = new URL('../..', import.meta.url).pathname

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean' }, part: { type: 'string' }, today: { type: 'boolean' } },
})

const chosen = choose()
if (values.list) for (const { name, promise } of chosen) console.log(`${name}: ${promise}`)
else process.exitCode = await runAll()

function choose(): readonly RoomMutant[] {
  const unknown = positionals.filter((name) => !MUTANTS.some((mutant) => mutant.name === name))
  const part = values.today ? partOf(new Date()) : Number(values.part ?? 0)
  if (unknown.length > 0 || !(part >= 0 && part <= PARTS)) {
    console.error(`${unknown.map((name) => `No mutant is called ${name}.\n`).join('')}${USAGE}`)
    process.exit(2)
  }
  if (positionals.length > 0) return MUTANTS.filter(({ name }) => positionals.includes(name))
  return part === 0 ? MUTANTS : MUTANTS.filter((_, index) => index % PARTS === part - 1)
}

/** Days in a row have different ones. */
function partOf(date: Date): number {
  return (Math.floor(date.getTime() / 86_400_000) % PARTS) + 1
}

async function runAll(): Promise<number> {
  const patches = chosen.map((mutant) => ({ mutant, patched: patch(mutant, root) }))
  const copy = `${mkdtempSync(`${tmpdir()}/mutants-`)}/`
  try {
    for (const name of COPIED) cpSync(root + name, copy + name, { recursive: true })
    symlinkSync(`${root}node_modules`, `${copy}node_modules`)
    const tests = await openTests(copy)
    try {
      return await runIn(copy, tests, patches)
    } finally {
      await tests.close()
    }
  } finally {
    rmSync(copy, { recursive: true })
  }
}

interface Broken {
  readonly mutant: RoomMutant
  readonly patched: Patched
}

async function runIn(copy: string, tests: Tests, all: readonly Broken[]): Promise<number> {
  const whole = await timed(() => tests.run(chosen, { casesMs: 0 }))
  if (whole.ran.failed.length > 0 || whole.ran.problems.length > 0) {
    console.error('Without a mutant these fail already:', ...[...whole.ran.failed, ...whole.ran.problems])
    return 1
  }
  console.log(`the tests pass without a mutant (${whole.ran.passed} tests, ${whole.seconds} s)`)
  const survivors: string[] = []
  for (const { mutant, patched } of all) {
    writeFileSync(copy + patched.file, patched.after)
    tests.forget(copy + patched.file)
    const { ran, seconds } = await timed(() => tests.run([mutant], { casesMs: CASES_MS }))
    writeFileSync(copy + patched.file, patched.before)
    tests.forget(copy + patched.file)
    const [caught] = ran.failed
    if (!caught) survivors.push(mutant.name)
    console.log(`${mutant.name}  ${seconds} s  ${caught ? `caught by: ${caught}` : `NOT CAUGHT${reasonOf(ran)}`}`)
  }
  console.log(`${all.length - survivors.length} of ${all.length} caught`)
  if (survivors.length > 0) console.error(`Not caught: ${survivors.join(', ')}`)
  return survivors.length === 0 ? 0 : 1
}

function reasonOf({ passed, problems }: Ran): string {
  return problems.length > 0 ? `, it breaks without a failed assertion: ${problems.join('; ')}` : ` by ${passed} tests`
}

async function timed(run: () => Promise<Ran>): Promise<{ readonly ran: Ran; readonly seconds: string }> {
  const began = performance.now()
  const ran = await run()
  return { ran, seconds: ((performance.now() - began) / 1000).toFixed(1) }
}
