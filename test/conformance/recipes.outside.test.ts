import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import jsonata from 'jsonata'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { baseUrl, get, issueKey, seenUser } from './client.ts'

const DOCS = join(import.meta.dirname, '..', '..', 'docs')
const PAGE = readFileSync(join(DOCS, 'recipes.md'), 'utf8')
const FOLDER = mkdtempSync(join(tmpdir(), 'mauve-recipes-'))
const DAY_MS = 86_400_000

let key: string

beforeAll(async () => {
  key = (await issueKey('read')).key
  await seenUser()
  const isListed = async () => ((await (await get('/events/names')).json()) as { total: number }).total
  await vi.waitUntil(isListed, 20_000)
})

afterAll(() => rmSync(FOLDER, { recursive: true }))

/** The first code of this language on the page, for the service under test. */
function recipe(language: string): string {
  const [, code = ''] = new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(PAGE) ?? []
  return code.replaceAll('http://localhost:8787', baseUrl)
}

interface Column {
  readonly selector: string
  readonly type: 'timestamp' | 'number' | 'string'
}

interface Panel {
  readonly title: string
  readonly targets: readonly {
    readonly url: string
    readonly url_options: { readonly params: readonly { readonly key: string; readonly value: string }[] }
    readonly root_selector: string
    readonly columns: readonly Column[]
  }[]
}

describe('the dashboard for Grafana gets an answer to every query', () => {
  const { panels } = JSON.parse(readFileSync(join(DOCS, 'grafana.json'), 'utf8')) as { panels: Panel[] }

  it.each(panels)('finds what it draws: $title', async ({ targets }) => {
    expect(targets.length).toBeGreaterThan(0)
    for (const { url, url_options, root_selector, columns } of targets) {
      const params = url_options.params.map(({ key, value }) => [key, filledIn(value)])
      const response = await get(`${url}?${new URLSearchParams(params)}`, key)
      expect(response.status).toBe(200)
      const rows: Record<string, unknown>[] = await jsonata(root_selector).evaluate(await response.json())
      expect(rows.length).toBeGreaterThan(0)
      for (const { selector, type } of columns) {
        for (const row of rows) expect(isOf(type, row[selector]), `${selector}: ${row[selector]}`).toBe(true)
      }
      expect(Object.keys(rows[0] ?? {})).toEqual(expect.arrayContaining(columns.map(({ selector }) => selector)))
    }
  })

  /** Fills in the bounds of the shown time, as Grafana does. */
  function filledIn(value: string): string {
    const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10).replaceAll('-', '')
    return value
      .replace(/\$\{__from:date:YYYYMMDD\}/, dateOf(Date.now() - 29 * DAY_MS))
      .replace(/\$\{__to:date:YYYYMMDD\}/, dateOf(Date.now()))
  }

  /** A cohort that is too young has no share yet. */
  function isOf(type: Column['type'], value: unknown): boolean {
    if (type === 'timestamp') return typeof value === 'string' && !Number.isNaN(Date.parse(value))
    return typeof value === type || (type === 'number' && value === null)
  }
})

describe('a recipe', () => {
  it('the recipe for a spreadsheet fills a table with a row per day', () => {
    const UrlFetchApp = {
      fetch: (url: string, { headers }: { headers: Record<string, string> }) => ({
        getContentText: () =>
          run('curl', ...Object.entries(headers).flatMap((header) => ['-H', header.join(': ')]), '-s', url),
      }),
    }
    const script = recipe('js').replace("'KEY'", `'${key}'`)
    const table = new Function('UrlFetchApp', `${script}; return MAUVE('/users/activity')`)(UrlFetchApp)
    expect(table).toHaveLength(31)
    expect(table[0]).toEqual(expect.arrayContaining(['date', 'dau', 'new']))
    for (const row of table) expect(row).toHaveLength(table[0].length)
    expect(table.at(-1)[table[0].indexOf('dau')]).toBeGreaterThan(0)
  })

  it('the recipe for a notebook shows the last days and the events', ({ skip }) => {
    needModules(['pandas'], skip)
    const printed = runPython(recipe('python'))
    expect(printed).toMatch(/dau +new +returning/)
    expect(printed).toMatch(/name +events +users/)
  })

  it('the recipe for DuckDB counts an export', ({ skip }) => {
    needModules(['duckdb'], skip)
    run('sh', '-c', recipe('sh'))
    writeFileSync(join(FOLDER, 'query.sql'), recipe('sql'))
    const rows = runPython('import duckdb, json; print(json.dumps(duckdb.sql(open("query.sql").read()).fetchall()))')
    const counts = JSON.parse(rows) as [name: string, country: string | null, events: number, users: number][]
    expect(counts.length).toBeGreaterThan(0)
    for (const [name, , events, users] of counts)
      expect([typeof name, events >= users && users > 0]).toEqual(['string', true])
  })
})

function needModules(names: readonly string[], skip: (reason: string) => never): void {
  try {
    runPython(names.map((name) => `import ${name}`).join('\n'))
  } catch {
    skip(`needs Python with ${names.join(', ')}: pip install ${names.join(' ')}, in an environment on the PATH`)
  }
}

function runPython(program: string): string {
  return run('python3', '-c', program)
}

function run(program: string, ...args: string[]): string {
  const env = { ...process.env, KEY: key }
  return execFileSync(program, args, { cwd: FOLDER, encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] })
}
