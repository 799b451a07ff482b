import { execFile } from 'node:child_process'
import { CommandFailure, runCommand } from './failure.ts'
import { ROOT } from './wrangler.ts'

const PATIENCE_MS = 20_000

/** What `npm audit --json` prints where the registry answered. */
interface Report {
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> }
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>
}

/** Looks the packages that are deployed up in the registry's list of known holes. Without a registry that has one it says so, and is content. */
await runCommand(async () => {
  const printed = await askRegistry()
  const report = parse(printed)
  if (!report?.metadata?.vulnerabilities) {
    console.log(`Audit of dependencies skipped: ${reasonIn(printed)}.`)
    return
  }
  const found = Object.entries(report.vulnerabilities ?? {}).map(([name, { severity }]) => `${name} (${severity})`)
  if (found.length > 0) throw new CommandFailure(`Packages with known holes: ${found.join(', ')}. See: npm audit`)
  console.log('Audit of dependencies: no known hole.')
})

function askRegistry(): Promise<string> {
  const args = ['audit', '--json', '--omit=dev', '--fetch-retries=0', `--fetch-timeout=${PATIENCE_MS}`]
  return new Promise((resolve) => {
    execFile('npm', args, { cwd: ROOT, timeout: PATIENCE_MS, shell: process.platform === 'win32' }, (error, stdout) =>
      resolve(stdout || (error?.killed ? '{"message":"the registry did not answer in time"}' : '')),
    )
  })
}

function parse(text: string): (Report & { message?: string; statusCode?: number }) | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function reasonIn(printed: string): string {
  const said = parse(printed)
  if (said?.statusCode) return `the registry answers ${said.statusCode}`
  return said?.message?.split('\n')[0] ?? 'the registry cannot be reached'
}
