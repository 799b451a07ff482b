import { beforeAll, describe, expect, it } from 'vitest'
import { expectFaults, get, newUser } from './client.ts'
import { ask, collect, daysAgo, did, figuresOf, nameOf, pathOf, period, type Query } from './history.ts'

/** Filters and groups are the same for both questions about events; what they select is tried on the simpler one. */

const DAY = daysAgo(100)
const visit = nameOf('visit')
const crowd = nameOf('crowd')
const NAMES = "'language', 'is_premium', 'referrer_type', 'os', 'device', 'brand', 'model', 'country', 'city'"
const OF_USERS = "'first.<one of these>', 'acquired_by', 'source', 'medium', 'campaign', 'content', 'referrer'"
const PROPERTIES = `${NAMES}, 'write_access', 'start_parameter', 'utm', 'verified', ${OF_USERS}, 'params.<name>'`
const FILTERED_BY = `${PROPERTIES} or 'cohort'`
const GROUPED_BY = `${PROPERTIES} or 'cohort:<name>'`
const OPERATORS =
  "'is', 'is not', 'contains', 'does not contain', 'greater', 'greater or equal', 'less', 'less or equal', 'set is' or 'set is not'"

const asAnn = {
  is_premium: true,
  language: 'en',
  referrer_type: 'group',
  os: 'iOS',
  device: 'ios',
  brand: 'Apple',
  model: 'iPhone',
  country: 'US',
  city: 'Austin',
  write_access: true,
  start_parameter: 'spring',
}
const asBen = {
  is_premium: false,
  language: 'de',
  referrer_type: 'channel',
  os: 'Android',
  device: 'android',
  brand: 'Samsung',
  model: 'Galaxy',
  country: 'DE',
  city: 'Berlin',
  write_access: false,
  start_parameter: 'summer',
}

/** The events' parameters name their users. Cid's events have nothing else. */
const EVENTS = [
  did(visit, newUser(), DAY, { ...asAnn, params: { who: 'ann', amount: 9, code: '9', paid: true, tags: ['b', 'a'] } }),
  did(visit, newUser(), DAY, { ...asBen, params: { who: 'ben', amount: 10, code: 'ab', paid: false, tags: ['a'] } }),
  did(visit, newUser(), DAY, { params: { who: 'cid' } }),
]
/** 22 groups: one user each, two in the one whose name comes last. */
const PLACES = Array.from({ length: 22 }, (_, index) => `p${String(index).padStart(2, '0')}`)
const CROWD = [...PLACES, 'p21'].map((place) => did(crowd, newUser(), DAY, { params: { place } }))

beforeAll(() => collect([...EVENTS, ...CROWD]))

interface Filter {
  readonly prop: string
  readonly op: string
  readonly values: readonly unknown[]
}

function filterOf(prop: string, op: string, ...values: unknown[]): Filter {
  return { prop, op, values }
}

async function groupsOf(query: Query): Promise<[string, readonly number[]][]> {
  return figuresOf(await ask('/events/segmentation', { event: visit, ...period(DAY), ...query }))
}

/** The users whose events pass. */
async function who(...filters: Filter[]): Promise<string> {
  const groups = await groupsOf({ group_by: 'params.who', filters: JSON.stringify(filters) })
  return groups.map(([name]) => name).join(' ')
}

describe('a property (§Gaps)', () => {
  it.each([
    ['is_premium', 'true'],
    ['language', 'en'],
    ['referrer_type', 'group'],
    ['os', 'iOS'],
    ['device', 'ios'],
    ['brand', 'Apple'],
    ['model', 'iPhone'],
    ['country', 'United States'],
    ['city', 'Austin'],
    ['write_access', 'true'],
    ['start_parameter', 'spring'],
    ['utm', 'spring'],
    ['params.paid', 'true'],
  ])('may be %s', async (prop, value) => {
    expect(await who(filterOf(prop, 'is', value))).toBe('ann')
    expect(await who(filterOf(prop, 'is', '(none)'))).toBe('cid')
    const groups = (await groupsOf({ group_by: prop })).map(([name]) => name)
    expect(groups).toHaveLength(3)
    expect(groups).toEqual(expect.arrayContaining(['(none)', value]))
  })
})

describe('an operator (§Gaps)', () => {
  it.each([
    ['is', filterOf('city', 'is', 'Austin'), 'ann'],
    ['is', filterOf('city', 'is', 'austin'), ''],
    ['is', filterOf('city', 'is', 'Austin', 'Berlin'), 'ann ben'],
    ['is', filterOf('city', 'is', '(none)', 'Berlin'), 'ben cid'],
    ['is not', filterOf('city', 'is not', 'Austin'), 'ben cid'],
    ['is not', filterOf('city', 'is not', 'Austin', 'Berlin'), 'cid'],
    ['is not', filterOf('city', 'is not', '(none)'), 'ann ben'],
    ['contains', filterOf('city', 'contains', 'in'), 'ann ben'],
    ['contains', filterOf('city', 'contains', 'Aus', 'x'), 'ann'],
    ['contains', filterOf('city', 'contains', 'aus', '%', '_'), ''],
    ['does not contain', filterOf('city', 'does not contain', 'Aus'), 'ben cid'],
    ['does not contain', filterOf('city', 'does not contain', 'Aus', 'Ber'), 'cid'],
    ['greater', filterOf('params.amount', 'greater', 9), 'ben'],
    ['greater', filterOf('params.amount', 'greater', '9'), 'ben'],
    ['greater', filterOf('params.code', 'greater', '9'), 'ben'],
    ['greater or equal', filterOf('params.amount', 'greater or equal', 9), 'ann ben'],
    ['less', filterOf('params.amount', 'less', 10), 'ann'],
    ['less', filterOf('params.code', 'less', 10), 'ann'],
    ['less or equal', filterOf('params.amount', 'less or equal', 10), 'ann ben'],
    ['set is', filterOf('params.tags', 'set is', 'a', 'b'), 'ann'],
    ['set is', filterOf('params.tags', 'set is', 'a'), 'ben'],
    ['set is', filterOf('city', 'set is', 'Berlin'), 'ben'],
    ['set is not', filterOf('params.tags', 'set is not', 'a', 'b'), 'ben cid'],
  ])('may be "%s" (%#)', async (_, filter, expected) => expect(await who(filter)).toBe(expected))
})

it.each([
  ['a number', 'params.amount', 9, 'ann'],
  ['its text', 'params.amount', '9', 'ann'],
  ['a boolean', 'params.paid', false, 'ben'],
  ['its text', 'is_premium', 'false', 'ben'],
])('values compare as text: %s finds it (%#)', async (_, prop, value, expected) => {
  expect(await who(filterOf(prop, 'is', value))).toBe(expected)
})

describe.each([
  ['/events/segmentation', { event: visit, ...period(DAY) }],
  ['/funnels', { events: [visit, crowd], ...period(DAY) }],
] as [string, Query][])('%s', (path, question) => {
  const entered = async (query: Query) =>
    figuresOf(await ask(path, { ...question, group_by: 'params.who', ...query })).map(([name]) => name)
  const refuse = (query: Query) => get(pathOf(path, { ...question, ...query }))

  describe('filters', () => {
    const [austin, free] = [filterOf('city', 'is not', 'Berlin'), filterOf('params.paid', 'is', '(none)')]

    it('may be an array in one parameter, joined by AND', async () => {
      expect(await entered({ filters: JSON.stringify([austin]) })).toEqual(['ann', 'cid'])
      expect(await entered({ filters: JSON.stringify([austin, free]) })).toEqual(['cid'])
      expect(await entered({ filters: '[]' })).toEqual(['ann', 'ben', 'cid'])
    })

    it('may be the parameter repeated, each an object or an array', async () => {
      expect(await entered({ filters: JSON.stringify(austin) })).toEqual(['ann', 'cid'])
      expect(await entered({ filters: [JSON.stringify(austin), JSON.stringify(free)] })).toEqual(['cid'])
      expect(await entered({ filters: [JSON.stringify(austin), JSON.stringify([free])] })).toEqual(['cid'])
    })

    it.each(['[', '', 'country is Germany'])('may be no broken JSON (%j)', async (filters) => {
      await expectFaults(await refuse({ filters }), { loc: ['query', 'filters'], type: 'json_invalid' })
    })

    it('point at the item and list what is allowed', async () => {
      const filters = JSON.stringify([austin, filterOf('age', 'like', 1)])
      await expectFaults(
        await refuse({ filters }),
        { loc: ['query', 'filters', 1, 'prop'], type: 'enum', msg: `Input should be ${FILTERED_BY}` },
        { loc: ['query', 'filters', 1, 'op'], type: 'enum', msg: `Input should be ${OPERATORS}` },
      )
    })

    it('have all their fields', async () => {
      await expectFaults(
        await refuse({ filters: '[{}]' }),
        ...['prop', 'op', 'values'].map((field) => ({ loc: ['query', 'filters', 0, field], type: 'missing' })),
      )
    })

    it('have texts, numbers and booleans as values, and at least one', async () => {
      const filters = JSON.stringify([filterOf('city', 'is'), filterOf('city', 'is', 'Berlin', null, {})])
      await expectFaults(
        await refuse({ filters }),
        { loc: ['query', 'filters', 0, 'values'], type: 'too_short' },
        { loc: ['query', 'filters', 1, 'values', 1], type: 'string_type' },
        { loc: ['query', 'filters', 1, 'values', 2], type: 'string_type' },
      )
    })

    it.each(['5', '"city"', '[5]', 'null'])('are objects (%s)', async (filters) => {
      await expectFaults(await refuse({ filters }), { loc: ['query', 'filters', 0], type: 'dict_type' })
    })
  })

  describe('group_by', () => {
    const namesOf = async (group_by: string | readonly string[]) =>
      figuresOf(await ask(path, { ...question, group_by })).map(([name]) => name)

    it('may be repeated, divided by a comma, or a JSON array', async () => {
      const expected = ['(none), cid', 'Austin, ann', 'Berlin, ben']
      expect(await namesOf(['city', 'params.who'])).toEqual(expected)
      expect(await namesOf('city,params.who')).toEqual(expected)
      expect(await namesOf('["city", "params.who"]')).toEqual(expected)
    })

    it.each([[['city', 'os', 'brand']], ['city,os,brand'], ['["city","os","brand"]']])(
      'takes two properties at most (%j)',
      async (group_by) => {
        const response = await refuse({ group_by })
        expect(await response.clone().text()).toContain(GROUPED_BY)
        await expectFaults(response, { loc: ['query', 'group_by', 2], type: 'too_long' })
      },
    )

    it('points at an unknown property and lists the known ones', async () => {
      const msg = `Input should be ${GROUPED_BY}`
      await expectFaults(await refuse({ group_by: 'city,age' }), { loc: ['query', 'group_by', 1], type: 'enum', msg })
      await expectFaults(await refuse({ group_by: '' }), { loc: ['query', 'group_by', 0], type: 'enum', msg })
    })

    it('gives the 20 largest, ties by name', async () => {
      const many = path === '/funnels' ? { events: [crowd, visit] } : { event: crowd }
      const { yValues } = await ask(path, { ...question, ...many, group_by: 'params.place' })
      const names = yValues.map(({ name }) => name)
      expect(names).toHaveLength(20)
      // Nobody completed the funnel: all are equal.
      expect(names).toEqual(path === '/funnels' ? PLACES.slice(0, 20) : ['p21', ...PLACES.slice(0, 19)])
    })
  })
})
