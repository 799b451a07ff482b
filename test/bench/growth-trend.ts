import { load, repeatFor, toRequest } from './load.ts'
import { interleave, median, medianRatio, progress, timeOf } from './rounds.ts'
import { createApplication, type Service } from './service.ts'
import { milliseconds, perSecond, type Section, times } from './table.ts'

const PATH = '/monthly-active-users/growth-trend'
const ROUNDS = 7
const CONNECTIONS = 32

/** Milliseconds of a page that is not remembered, and requests a second of one that is, next to a route that reads as much from KV. */
export async function measureGrowthTrend(service: Service, { quick }: { quick: boolean }): Promise<Section> {
  const applications = quick ? 1_000 : 10_000
  const { key } = await createApplication(service)
  const headers = { 'x-api-key': key }
  progress('  storing applications')
  await fill(service, applications)
  await storePage(service, headers)
  const roundMs = quick ? 100 : 1_000
  const ask = (address: URL, path: string) => () => {
    const next = repeatFor(roundMs, toRequest(address, { path, headers }))
    return load({ address, next, connections: CONNECTIONS })
  }
  const figures = await interleave(
    {
      // Each round asks for a page of its own size.
      cold: (round) => timeOf(new URL(`${PATH}?limit=${101 + round}`, service.mauve), { headers }),
      warm: ask(service.mauve, PATH),
      kv: ask(service.bench, '/kv'),
    },
    ROUNDS,
  )
  return {
    title: `GET ${PATH}, ${applications.toLocaleString('en')} applications, page of 100`,
    lines: [
      { what: 'cold', figure: milliseconds(median(figures.cold)), target: '100 ms' },
      {
        what: 'warm',
        figure: perSecond(median(figures.warm), 'requests'),
        ratio: `${times(medianRatio(figures.warm, figures.kv))} of the KV route`,
        target: '×0.70',
      },
      { what: '  Hono route that reads the same from one KV key', figure: perSecond(median(figures.kv), 'requests') },
    ],
  }
}

/** The KV route reads what the growth trend answers. */
async function storePage({ mauve, bench }: Service, headers: Record<string, string>): Promise<void> {
  const response = await fetch(new URL(PATH, mauve), { headers })
  await fetch(new URL('/kv', bench), { method: 'PUT', body: await response.text() })
}

/** Applications with figures for each of the last 31 days. */
async function fill({ databases }: Service, applications: number): Promise<void> {
  const today = Math.floor(Date.now() / 86_400_000)
  await databases.mauve.prepare(INSERT_APPLICATIONS).bind(applications).run()
  for (let daysAgo = -1; daysAgo <= 30; daysAgo++) {
    await databases.mauve
      .prepare(INSERT_FIGURES)
      .bind(today - daysAgo)
      .run()
  }
}

const INSERT_APPLICATIONS = `
  with recursive number(n) as (select 1 union all select n + 1 from number where n < ?1)
  insert into applications (project_id, account_id, handle, name, link, description, photo_url, public_key, sealed_private_key, capture, created_at)
  select 'project ' || n, (select id from accounts limit 1), 'app_' || n, 'Application ' || n, 'https://t.me/app_' || n, '',
    'https://example.org/' || n || '.png', '', '', '{}', 0
  from number`

const INSERT_FIGURES = `insert into daily_figures
  select id, ?1, 1, 0, 10, abs(random()) % 100000, 1, 1, 9, 50 from applications`
