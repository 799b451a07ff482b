import { beforeAll, describe, expect, it } from 'vitest'
import { labelOfValue, valuesOfLabel } from '../../src/dashboard/words/labels.ts'
import { openDashboard, openPage, toQuery, type Visited } from '../support/dashboard.ts'

const CITIES = Array.from({ length: 25 }, (_, place) => `City ${place}`)

let visited: Visited

beforeAll(async () => {
  const said = { language: 'en', is_premium: true, write_access: false, device: 'weba', country: 'Germany', os: 'iOS' }
  const others = [{ city: 'Berlin' }, { city: 'berlin', language: 'iw' }, ...CITIES.map((city) => ({ city }))]
  const event = { event_type: 'Visit', datetime: Date.now() - 60_000, params: { plan: 'Gold' } }
  visited = await openDashboard(others.map((other, user) => ({ ...event, telegram_id: user + 1, ...said, ...other })))
})

async function ledTo(path: string, asked: Record<string, string>): Promise<URLSearchParams | null> {
  const { status, location } = await openPage(visited.browser, `${visited.home}${path}?${toQuery(asked)}`)
  if (status === 200) return null
  expect(status).toBe(302)
  return new URL(location ?? '', 'https://mauve.test').searchParams
}

describe('a value that is typed as the pages show it', () => {
  it.each([
    ['language', 'en', 'English'],
    ['language', 'he', 'Hebrew'],
    ['is_premium', 'true', 'Premium'],
    ['is_premium', 'false', 'Not premium'],
    ['write_access', 'true', 'Yes'],
    ['verified', 'false', 'Not verified'],
    ['device', 'tdesktop', 'Desktop'],
    ['country', 'Germany', 'Germany'],
    ['os', '(none)', '(none)'],
  ])('of %s: %s is %s, and the other way round, whatever its case', (property, value, label) => {
    expect(labelOfValue(property, value)).toBe(label)
    for (const text of [label, label.toUpperCase(), ` ${label.toLowerCase()} `, value]) {
      expect(valuesOfLabel(property, text, [])).toEqual([value])
    }
  })

  it.each([
    ['language', 'is', 'english', ['en']],
    ['language', 'is not', 'Hebrew', ['iw']],
    ['is_premium', 'is', 'yes', ['true']],
    ['is_premium', 'set is', 'PREMIUM', ['true']],
    ['device', 'is', 'web a', ['weba']],
    ['country', 'is', 'germany', ['Germany']],
    ['os', 'is', 'IOS', ['iOS']],
    ['params.plan', 'is', 'gold', ['Gold']],
    ['city', 'is', 'BERLIN', ['Berlin', 'berlin']],
    ['city', 'is', 'berlin', ['berlin']],
    ['city', 'is', 'Nowhere', ['Nowhere']],
    ['language', 'contains', 'English', ['English']],
    ['constructor', 'is', 'English', ['English']],
  ])('makes a filter by what is stored: %s %s %s', async (prop, op, typed, values) => {
    const fields = { period: '7d', 'filter-prop': prop, 'filter-op': op, 'filter-value': typed }
    const params = await ledTo('/events', fields)
    expect([...(params ?? [])]).toEqual([
      ['period', '7d'],
      ['filters', JSON.stringify({ prop, op, values })],
    ])
  })

  it('narrows the list of users in the same way', async () => {
    const typed = { country: 'germany', language: 'ENGLISH', is_premium: 'premium', sort_by: 'city' }
    const params = await ledTo('/users', typed)
    expect(Object.fromEntries(params ?? [])).toEqual({
      country: 'Germany',
      language: 'en',
      is_premium: 'true',
      sort_by: 'city',
    })
    expect(await ledTo('/users', Object.fromEntries(params ?? []))).toBeNull()
  })
})

it('few values are choices, both of a flag always; of many, one types the beginning', async () => {
  const offered = async (asked: Record<string, string>) => {
    const { text } = await openPage(visited.browser, `${visited.home}/property-values?${toQuery(asked)}`)
    return JSON.parse(text)
  }
  const no = { value: 'false', label: 'No' }
  expect(await offered({ property: 'write_access' })).toEqual({
    isShort: true,
    values: [no, { value: 'true', label: 'Yes' }],
  })
  const missing = await offered({ property: 'device', missing: '' })
  expect(missing).toEqual({
    isShort: true,
    values: [
      { value: 'weba', label: 'Web A' },
      { value: '(none)', label: '(none)' },
    ],
  })
  const cities = await offered({ property: 'city' })
  expect([cities.isShort, cities.values.length]).toEqual([false, CITIES.length + 2])
  expect(await offered({ property: 'brand' })).toEqual({ isShort: false, values: [] })
})
