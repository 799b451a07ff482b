import { interleave, median, medianRatio, progress } from './rounds.ts'
import { createApplication, type Service } from './service.ts'
import { milliseconds, type Section, times } from './table.ts'
import type { DirtyDays, Timed } from './worker.ts'

const ROUNDS = 7
const DAYS = 90
const MONTH_DAYS = 30

interface Scale {
  readonly users: number
  readonly userDays: number
}

/** About three events on each day that a user is active: 1,000,000 events. */
const FULL: Scale = { users: 50_000, userDays: 333_000 }
const QUICK: Scale = { users: 5_000, userDays: 33_300 }

/** Milliseconds to bring dirty days right, next to counting the distinct users of 30 days. */
export async function measureRollups(service: Service, { quick }: { quick: boolean }): Promise<Section> {
  const scale = quick ? QUICK : FULL
  const { id: applicationId } = await createApplication(service)
  const today = Math.floor(Date.now() / 86_400_000)
  progress('  storing days of users')
  await fill(service, { applicationId, today, ...scale })
  const rollUp =
    (days: number, until = today) =>
    () =>
      rollUpDays(service, { applicationId, today, days: lastDays(until, days) })
  const timings = await interleave(
    {
      one: rollUp(1),
      late: rollUp(1, today - 45),
      month: rollUp(MONTH_DAYS),
      all: rollUp(DAYS),
      count: () => countUsers(service, applicationId, today),
    },
    ROUNDS,
  )
  const line = (what: string, name: keyof typeof timings, target: string) => ({
    what,
    figure: milliseconds(median(timings[name])),
    ratio: `${times(medianRatio(timings[name], timings.count))} of the count`,
    target,
  })
  return {
    title: `Rollup, ${scale.users.toLocaleString('en')} users, ${scale.userDays.toLocaleString('en')} active days of users in ${DAYS} days`,
    lines: [
      line('one dirty day, today', 'one', '100 ms'),
      line('one dirty day, 45 days ago', 'late', ''),
      line(`${MONTH_DAYS} dirty days in a row`, 'month', ''),
      line(`all ${DAYS} days`, 'all', '1000 ms'),
      { what: `  count(distinct user) of ${MONTH_DAYS} days`, figure: milliseconds(median(timings.count)) },
    ],
  }
}

function lastDays(today: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => today - index)
}

async function rollUpDays({ bench }: Service, dirty: DirtyDays): Promise<number> {
  const response = await fetch(new URL('/roll-up', bench), { method: 'POST', body: JSON.stringify(dirty) })
  if (!response.ok) throw new Error(`The rollup answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as Timed).milliseconds
}

async function countUsers({ databases }: Service, applicationId: number, today: number): Promise<number> {
  const sql = `select count(distinct telegram_id) from user_days
    where application_id = ? and day between ${today - MONTH_DAYS + 1} and ${today}`
  const start = performance.now()
  await databases.mauve.prepare(sql).bind(applicationId).all()
  return performance.now() - start
}

const PER_STATEMENT = 20_000

async function fill({ databases }: Service, filling: Scale & { applicationId: number; today: number }): Promise<void> {
  const { applicationId, today, users, userDays } = filling
  await databases.mauve.prepare(INSERT_CONTEXTS).bind(applicationId).run()
  for (let first = 0; first < users; first += PER_STATEMENT) {
    const count = Math.min(PER_STATEMENT, users - first)
    await databases.mauve.prepare(INSERT_USERS).bind(applicationId, first, count, today).run()
  }
  for (let first = 0; first < userDays; first += PER_STATEMENT) {
    const count = Math.min(PER_STATEMENT, userDays - first)
    await databases.mauve.prepare(INSERT_USER_DAYS).bind(applicationId, first, count, today, users).run()
  }
}

const NUMBERS = 'with recursive number(n) as (select ?2 union all select n + 1 from number where n + 1 < ?2 + ?3)'

const INSERT_CONTEXTS = `insert into contexts (application_id, fingerprint, is_premium)
  select ?1, value, value from json_each('[0,1]')`

const INSERT_USERS = `${NUMBERS}
  insert into users select ?1, n, (?4 - n % ${DAYS}) * 86400000, ?4 * 86400000, 20, 5, 'en', 0, 'Germany', 'Berlin', null, 0, 0,
    null, 'user_' || n, 'First', 'Last', 'ios', 'Apple', 'iPhone', 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1
  from number`

/** Day and user are chosen by multiplying with primes, which scatters them. */
const INSERT_USER_DAYS = `${NUMBERS}
  insert or ignore into user_days
  select ?1, ?4 - n * 7919 % ${DAYS}, n * 104729 % 15485863 % ?5, 3, 1, 1, (select min(id) from contexts where application_id = ?1) + n % 2
  from number`
