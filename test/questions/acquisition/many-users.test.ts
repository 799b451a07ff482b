import { env, runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { parseProperty, type UserProperty } from '../../../src/columns/selection/filter.ts'
import type { DemoEvent } from '../../../src/commands/demo/event.ts'
import { history } from '../../../src/commands/demo/history.ts'
import { FARM, SOURCE_RULES } from '../../../src/commands/demo/shop.ts'
import { askForAcquisition } from '../../../src/questions/acquisition/acquisition.ts'
import { filtersParam } from '../../../src/questions/filters/contract.ts'
import { DEFAULT_REVENUE_RULES } from '../../../src/storage/revenue-rule.ts'
import { DAY_MS } from '../../support/event-history.ts'
import { askingOf, writtenColumns } from '../../support/written-columns.ts'

const NOW = Date.parse('2026-11-20T10:40:00Z')
const TODAY = Math.floor(NOW / DAY_MS)
const DAYS = 90

/** Each takes well below a second, even on a busy machine; comparing every parameter with every other takes minutes. */
const LONGEST_MS = 15_000

interface Asked {
  readonly by: string
  readonly filters?: readonly object[]
  readonly limit?: number
  readonly offset?: number
}

/** Asks an object with these events several questions about acquisition. */
async function acquisitionOf(name: string, events: readonly DemoEvent[], asked: readonly Asked[]) {
  return await runInDurableObject(env.APPLICATIONS.getByName(name), async (_, { storage }) => {
    const asking = askingOf(writtenColumns(storage, events), SOURCE_RULES)
    const answers: Awaited<ReturnType<typeof askForAcquisition>>[] = []
    for (const { by, filters = [], limit = 100, offset = 0 } of asked) {
      const began = performance.now()
      const query = {
        by: parseProperty(by) as UserProperty,
        filters: filtersParam.parse(JSON.stringify(filters)),
        ...{ activation: null, limit, offset, from: TODAY - DAYS + 1, to: TODAY, today: TODAY },
        charges: { rules: DEFAULT_REVENUE_RULES, currency: 'XTR' },
      }
      answers.push(await askForAcquisition(query, asking))
      expect(performance.now() - began, by).toBeLessThan(LONGEST_MS)
    }
    return answers
  })
}

const BOUGHT = 'bought_users'

/** Users who all arrive within a minute. */
function opened(users: number, linkOf: (index: number) => string): DemoEvent[] {
  const minute = Math.floor(NOW / 60_000) * 60_000 - 10 * DAY_MS
  return Array.from({ length: users }, (_, index) => ({
    ...{ event_type: 'Session start', telegram_id: index + 1, datetime: minute + (index % 60_000) },
    ...{ session_id: null, params: null, start_parameter: linkOf(index) },
  }))
}

it('flags a farm of 2,000 users in the demo history, and no organic source', async () => {
  const demo = [...history({ events: 60_000, days: DAYS, now: NOW })].flat()
  const [answer] = await acquisitionOf('farm', [...demo, ...opened(2_000, () => BOUGHT)], [{ by: 'source' }])
  const { all, data } = answer ?? { all: null, data: [] }
  const marked = Object.fromEntries(data.flatMap(({ name, unusual }) => (unusual ? [[name, unusual]] : [])))
  const [both, own] = [['single_event', 'peak_per_minute'], 'boostnet']
  expect(marked).toEqual({ [BOUGHT]: both, [own]: both })
  expect(FARM.name).toContain(own)
  expect(data[0]).toMatchObject({ name: BOUGHT, users: 2_000, single_event: 100, peak_per_minute: 2_000, verified: 0 })
  expect(data.filter(({ users }) => users >= 50).length).toBeGreaterThan(8)
  expect(all?.users).toBeGreaterThan(4_000)
})

it('answers about 100,000 personal start parameters', async () => {
  const users = 100_000
  const events = opened(users, (index) => `ref_${users + index}`)
  const one = { prop: 'referrer', op: 'is', values: [`${users + 7}`] }
  const [sources, parameters, far, filtered] = await acquisitionOf('personal', events, [
    { by: 'source' },
    { by: 'acquired_by' },
    { by: 'referrer', limit: 1_000, offset: 50_000 },
    { by: 'referrer', filters: [one] },
  ])
  expect(sources?.data).toMatchObject([{ name: 'Referral', users, single_event: 100 }])
  expect(parameters).toMatchObject({ total: users, all: { users } })
  const names = Array.from({ length: 100 }, (_, index) => `ref_${users + index}`)
  expect(parameters?.data.map(({ name }) => name)).toEqual(names)
  expect(parameters?.data.every((row) => row.users === 1)).toBe(true)
  expect(far?.data.map(({ name }) => name)).toEqual(
    Array.from({ length: 1_000 }, (_, index) => `${users + 50_000 + index}`),
  )
  expect(filtered).toMatchObject({ total: 1, all: { users: 1 }, data: [{ name: `${users + 7}`, users: 1 }] })
})
