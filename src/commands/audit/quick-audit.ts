import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../wrangler.ts'
import { runNpm } from './npm-audit.ts'
import { type Outcome, PATIENCE_MS } from './outcome.ts'

const PATH = '-/npm/v1/security/audits/quick'

interface LockedPackage {
  readonly version?: string
  readonly dev?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
}

/** A package as npm's older lock files nest them, which is what this audit reads. */
interface Package {
  readonly version?: string | undefined
  readonly requires: Readonly<Record<string, string>>
  readonly dependencies: Record<string, Package>
}

interface Answer {
  readonly advisories: Readonly<Record<string, { readonly module_name: string; readonly severity: string }>>
}

/** The older form of an audit, which some registries have alone. It is asked without a login. */
export async function askQuickAudit(reasonBefore: string): Promise<Outcome> {
  try {
    const registry = (await runNpm(['config', 'get', 'registry'])).trim()
    const response = await fetch(new URL(PATH, registry.replace(/\/*$/, '/')), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(await readTree()),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const { advisories } = (await response.json()) as Answer
    return { holes: Object.values(advisories).map(({ module_name, severity }) => `${module_name} (${severity})`) }
  } catch {
    return { reason: reasonBefore }
  }
}

/** The packages that are deployed, out of package-lock.json, where a package stands before those that it alone has. */
async function readTree(): Promise<object> {
  const { name, version, packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'))
  const root: Package = { version, requires: packages[''].dependencies, dependencies: {} }
  for (const [path, { version, dev, dependencies = {} }] of Object.entries<LockedPackage>(packages)) {
    const names = path.split(/\/?node_modules\//).slice(1)
    const last = names.pop()
    if (last === undefined || dev) continue
    const parent = names.reduce((found: Package | undefined, name) => found?.dependencies[name], root)
    if (parent) parent.dependencies[last] = { version, requires: dependencies, dependencies: {} }
  }
  return { name, ...root }
}
