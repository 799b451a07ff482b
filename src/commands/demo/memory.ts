import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { KEPT } from '../wrangler.ts'
import type { Options } from './options.ts'

const FILE = join(KEPT, 'demo-history.json')

/**
 * How great the crowd was when this history was first sent: the application grows, so the same number of events on a
 * later day would be a smaller crowd, and part of it would vanish. Undefined for a history not sent from here before.
 */
export async function recallCrowd(options: Options): Promise<number | undefined> {
  const crowd = (await readAll())[nameOf(options)]
  return typeof crowd === 'number' && crowd > 0 ? crowd : undefined
}

export async function rememberCrowd(options: Options, crowd: number): Promise<void> {
  const all = { ...(await readAll()), [nameOf(options)]: crowd }
  await mkdir(dirname(FILE), { recursive: true })
  await writeFile(FILE, `${JSON.stringify(all, null, 2)}\n`)
}

async function readAll(): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(FILE, 'utf8'))
  } catch {
    return {}
  }
}

/** The key tells whose history it is where no project does; it is not written down itself. */
function nameOf({ url, key, project, events, days }: Options): string {
  const owner = project ?? createHash('sha256').update(key).digest('hex').slice(0, 16)
  return `${url} ${owner}: ${events} events, ${days} days`
}
