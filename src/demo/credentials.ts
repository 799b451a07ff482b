import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KEPT } from '../commands/wrangler.ts'

/** What `npm start` prints and `npm run demo` sends with. It opens the local demo account only. */
export interface DemoCredentials {
  readonly apiKey: string
  readonly projectId: string
}

const FILE = join(KEPT, 'demo.json')

export async function readDemoCredentials(): Promise<DemoCredentials | null> {
  try {
    return JSON.parse(await readFile(FILE, 'utf8'))
  } catch {
    return null
  }
}

export async function writeDemoCredentials(credentials: DemoCredentials): Promise<void> {
  await mkdir(KEPT, { recursive: true })
  await writeFile(FILE, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
}
