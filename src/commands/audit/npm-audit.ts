import { execFile } from 'node:child_process'
import { ROOT } from '../wrangler.ts'
import { type Outcome, PATIENCE_MS } from './outcome.ts'

/** What `npm audit --json` prints: the report where the registry answered, else what it met. */
interface Printed {
  readonly metadata?: { readonly vulnerabilities?: object }
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>
  readonly message?: string
  readonly statusCode?: number
}

/** Goes to the registry that npm is set up for, with its login. From version 11 on npm knows the newer form of an audit only. */
export async function askThroughNpm(): Promise<Outcome> {
  const limits = ['--fetch-retries=0', `--fetch-timeout=${PATIENCE_MS}`]
  const report = parse(await runNpm(['audit', '--json', '--omit=dev', ...limits]))
  if (!report?.metadata?.vulnerabilities) return { reason: reasonIn(report) }
  return { holes: Object.entries(report.vulnerabilities ?? {}).map(([name, { severity }]) => `${name} (${severity})`) }
}

/** What npm prints, whether it fails or not. */
export function runNpm(args: readonly string[]): Promise<string> {
  const options = { cwd: ROOT, timeout: PATIENCE_MS, shell: process.platform === 'win32' }
  return new Promise((resolve) => execFile('npm', args, options, (_, stdout) => resolve(stdout)))
}

function parse(text: string): Printed | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function reasonIn(printed: Printed | null): string {
  if (printed?.statusCode) return `the registry answers ${printed.statusCode}`
  return printed?.message?.split('\n')[0] ?? 'the registry did not answer in time'
}
