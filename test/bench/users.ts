import { SORT_KEYS } from '../../src/questions/users/contract.ts'
import { interleave, type Measure, median, medianRatio, progress, timeOf } from './rounds.ts'
import { createApplication, type Service } from './service.ts'
import { type Line, milliseconds, type Section, times } from './table.ts'

const ROUNDS = 9
const OFFSET = 10_000

/** Milliseconds of one page of users in each order, next to counting the same rows. */
export async function measureUsers(service: Service, { quick }: { quick: boolean }): Promise<Section> {
  const users = quick ? 20_000 : 200_000
  const { id, key } = await createApplication(service)
  progress('  storing users')
  await fill(service, { applicationId: id, users })
  const ask = (path: string) => () => timeOf(new URL(path, service.mauve), { headers: { 'x-api-key': key } })
  const counting = () => timeOf(new URL(`/users/${id}`, service.bench))
  const pages = pagePaths()
  const pageMeasures = Object.fromEntries(pages.map(({ what, path }): [string, Measure] => [what, ask(path)]))
  const timings = await interleave<string>({ ...pageMeasures, [COUNTING]: counting }, ROUNDS)
  return {
    title: `GET /users/segmentation, ${users.toLocaleString('en')} users, limit 20`,
    lines: [
      ...pages.map(({ what }) => toLine(what, timings)),
      { what: `  ${COUNTING}`, figure: milliseconds(median(timings[COUNTING] ?? [])) },
    ],
  }
}

const COUNTING = 'select count(*) over the same rows'

function toLine(what: string, timings: Readonly<Record<string, readonly number[]>>): Line {
  const [own, base] = [timings[what] ?? [], timings[COUNTING] ?? []]
  return {
    what,
    figure: milliseconds(median(own)),
    ratio: `${times(medianRatio(own, base))} of the count`,
    target: '150 ms',
  }
}

function pagePaths() {
  const page = (sortBy: string, order: string, offset: number) => ({
    what: `${sortBy} ${order}${offset > 0 ? `, offset ${offset.toLocaleString('en')}` : ''}`,
    path: `/users/segmentation?sort_by=${sortBy}&sort_order=${order}&offset=${offset}`,
  })
  return [
    ...SORT_KEYS.map((sortBy) => page(sortBy, 'desc', 0)),
    page('total_events', 'asc', 0),
    page('city', 'asc', 0),
    page('total_events', 'desc', OFFSET),
    page('city', 'asc', OFFSET),
  ]
}

const PER_STATEMENT = 20_000

async function fill({ databases }: Service, { applicationId, users }: { applicationId: number; users: number }) {
  for (let first = 0; first < users; first += PER_STATEMENT) {
    await databases.mauve.prepare(INSERT_USERS).bind(applicationId, first, PER_STATEMENT).run()
  }
}

/** Users `?2` and the `?3 - 1` after it; a third of them premium, one in ten without language, most without a wallet. */
const INSERT_USERS = `
  with recursive number(n) as (select ?2 union all select n + 1 from number where n + 1 < ?2 + ?3),
  person as (select n, abs(random()) as luck, 1760000000000 + n * 1000 as time from number)
  insert into users (
    application_id, telegram_id, first_active_at, last_active_at, total_events, total_sessions, language, is_premium,
    country, city, provider, curr_balance, curr_volume, utm, username, firstname, lastname, device, brand, model,
    language_stamp, is_premium_stamp, country_stamp, city_stamp, provider_stamp, curr_balance_stamp, utm_stamp,
    username_stamp, firstname_stamp, lastname_stamp, device_stamp, brand_stamp, model_stamp
  )
  select ?1, 7200000000 + n, time, time + luck % 1000000000, 1 + luck % 5000, 1 + luck % 90,
    nullif('language ' || luck % 10, 'language 0'), luck % 3 = 0, 'Country ' || luck % 60, 'City ' || luck % 2000,
    iif(luck % 5 = 0, 'wallet ' || luck % 7, null), iif(luck % 5 = 0, luck % 100000 / 100.0, 0),
    iif(luck % 5 = 0, luck % 7000000, 0), 'source ' || luck % 20, 'user_' || n, 'First ' || n % 700, 'Last ' || n % 900,
    'device ' || luck % 5, 'Brand ' || luck % 12, 'Model ' || luck % 90,
    time << 20, time << 20, time << 20, time << 20, 0, 0, time << 20, time << 20, time << 20, time << 20, time << 20, time << 20, time << 20
  from person`
