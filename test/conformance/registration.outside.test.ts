import { describe, expect, it } from 'vitest'
import { call, expectFaults, expectProblem, get, needOwned, newHandle, post, registrationOf } from './client.ts'

const PATH = '/applications/register'
/** Registered once and then updated: a key pair takes long to make. */
const handle = newHandle()

function register(changes: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<Response> {
  return post(PATH, registrationOf(handle, changes), headers)
}

async function expectRegistered(response: Response): Promise<void> {
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(await response.json()).toEqual({
    status_code: 201,
    message: 'Application registered successfully',
    project_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  })
}

describe('a registration (§1)', () => {
  it('answers HTTP 200 with status_code 201', async () => expectRegistered(await register()))

  it('does without a description', async () => {
    const { description: _, ...rest } = registrationOf(handle)
    await expectRegistered(await post(PATH, rest))
  })

  it('lets fields pass that it does not know', async () => expectRegistered(await register({ category: 'shops' })))

  it('can be made again, also in another letter case', async () => {
    await expectRegistered(await register({ name: 'Lemon Shop 2' }))
    await expectRegistered(await register({ handle: handle.toUpperCase() }))
  })

  it('registering a handle of another account is a conflict, in any letter case', async (context) => {
    const { foreignKey } = needOwned(context)
    await expectRegistered(await register())
    await expectProblem(await register({}, { 'x-api-key': foreignKey }), 409)
    await expectProblem(await register({ handle: handle.toUpperCase() }, { 'x-api-key': foreignKey }), 409)
  })

  it('is what a new key needs first', async (context) => {
    const [key] = needOwned(context).newKeys
    await expectProblem(await get('/users/segmentation', key), 404)
    await expectRegistered(await register({ handle: newHandle() }, { 'x-api-key': key }))
    expect((await get('/users/segmentation', key)).status).toBe(200)
  })
})

const lemon = '🍋'

describe('the bounds of a registration (§1, §Application registration body, §Limits)', () => {
  it.each([
    ['name', '1 character', 'a'],
    ['name', '100 characters', 'a'.repeat(100)],
    ['name', '100 characters beyond the BMP', lemon.repeat(100)],
    ['link', '6 characters', 't.me/a'],
    ['link', '2083 characters', 'https://a.example/'.padEnd(2083, 'a')],
    ['description', '0 characters', ''],
    ['description', '500 characters', 'a'.repeat(500)],
    ['photo_url', '8 characters', 'http://a'],
    ['photo_url', '2083 characters', 'https://a.example/'.padEnd(2083, 'a')],
  ])('take a %s of %s', async (field, _, value) => {
    await expectRegistered(await register({ [field]: value }))
  })

  it.each([
    ['name', '101 characters', 'a'.repeat(101), '100 characters'],
    ['name', '101 characters beyond the BMP', lemon.repeat(101), '100 characters'],
    ['link', '2084 characters', 'a'.repeat(2084), '2083 characters'],
    ['description', '501 characters', 'a'.repeat(501), '500 characters'],
    ['photo_url', '2084 characters', 'a'.repeat(2084), '2083 characters'],
    ['handle', '101 characters', `@${'a'.repeat(100)}`, '100 characters'],
  ])('refuse a %s of %s', async (field, _, value, bound) => {
    const msg = `String should have at most ${bound}`
    await expectFaults(await register({ [field]: value }), { loc: ['body', field], type: 'string_too_long', msg })
  })

  it.each([
    ['name', '', '1 character'],
    ['link', '', '1 character'],
    ['photo_url', '', '1 character'],
    ['handle', '', '2 characters'],
    ['handle', '@', '2 characters'],
  ])('refuse the %s "%s"', async (field, value, bound) => {
    const msg = `String should have at least ${bound}`
    await expectFaults(await register({ [field]: value }), { loc: ['body', field], type: 'string_too_short', msg })
  })
})

const addresses = ['HTTPS://T.me/lemon', 't.me/lemon?startapp=1', 'T.ME/lemon', 'http://[::1]/picture']
const noAddresses = [
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  ' https://a.example',
  'https://',
  'lemon',
  't.me/',
]

describe.each(['link', 'photo_url'])('the %s of a registration, which is shown to all,', (field) => {
  it.each(addresses)('may be %s', async (value) => expectRegistered(await register({ [field]: value })))

  it.each(noAddresses)('must not be "%s"', async (value) => {
    const msg = 'Input should begin with http://, https:// or t.me/'
    await expectFaults(await register({ [field]: value }), { loc: ['body', field], type: 'value_error', msg })
  })
})

describe('a handle (§1)', () => {
  it('may be two characters long', async () => {
    // Somebody else's service may have given it away already.
    expect([200, 409]).toContain((await register({ handle: '@q' })).status)
  })

  it('may be 100 characters long, with digits and underscores', async () => {
    await expectRegistered(await register({ handle: `${newHandle()}_0Z`.padEnd(100, '_') }))
  })

  it.each([
    ['without its at-sign', 'lemon_shop'],
    ['with two', '@@lemon'],
    ['with one inside', '@lemon@shop'],
    ['with a hyphen', '@lemon-shop'],
    ['with a blank', '@lemon shop'],
    ['with a line feed at its end', '@lemon\n'],
    ['in Cyrillic', '@лимон'],
    ['with a full-width letter', '@ｌemon'],
    ['with a dot', '@lemon.shop'],
  ])('%s is refused', async (_, value) => {
    const response = await register({ handle: value })
    await expectFaults(response, { loc: ['body', 'handle'], type: 'string_pattern_mismatch' })
  })
})

describe('a body that is no registration (§1, §Validation error)', () => {
  const required = ['name', 'handle', 'link', 'photo_url']
  const all = [...required, 'description']

  it.each(required)('names a missing %s', async (field) => {
    const { [field]: _, ...rest } = registrationOf(handle) as Record<string, unknown>
    await expectFaults(await post(PATH, rest), { loc: ['body', field], type: 'missing', msg: 'Field required' })
  })

  it('names everything that is missing together', async () => {
    await expectFaults(await post(PATH, {}), ...required.map((field) => ({ loc: ['body', field], type: 'missing' })))
  })

  it.each([null, 1, true, ['a'], { a: 1 }])('names every field that is no text (%j)', async (value) => {
    const body = Object.fromEntries(all.map((field) => [field, value]))
    const faults = all.map((field) => ({
      loc: ['body', field],
      type: 'string_type',
      msg: 'Input should be a valid string',
    }))
    await expectFaults(await post(PATH, body), ...faults)
  })

  it('names faults of different kinds together', async () => {
    await expectFaults(
      await post(PATH, { name: '', handle: 'lemon', link: 5, description: 'a'.repeat(501) }),
      { loc: ['body', 'name'], type: 'string_too_short' },
      { loc: ['body', 'handle'], type: 'string_pattern_mismatch' },
      { loc: ['body', 'link'], type: 'string_type' },
      { loc: ['body', 'description'], type: 'string_too_long' },
      { loc: ['body', 'photo_url'], type: 'missing' },
    )
  })

  it.each(['[]', '"text"', '5', 'true', 'null'])('is refused as a whole (%s)', async (body) => {
    await expectFaults(await post(PATH, body), { loc: ['body'], type: 'dict_type' })
  })

  it('may be empty', async () => {
    await expectFaults(await post(PATH, ''), { loc: ['body'], type: 'missing', msg: 'Field required' })
  })

  it.each(['{', '{"name": }', "{'name': 'x'}", '{"name": "x",}', 'name=x', '\u0000', '{"a":1}{'])(
    'may be no JSON (%j)',
    async (body) => {
      const response = await post(PATH, body)
      expect(response.status).toBe(422)
      const { detail } = (await response.json()) as { detail: { loc: unknown[] }[] }
      expect(detail).toEqual([
        {
          loc: ['body', expect.any(Number)],
          msg: expect.stringMatching(/^JSON decode error at line 1, column \d+$/),
          type: 'json_invalid',
        },
      ])
      expect(detail[0]?.loc[0]).toBe('body')
    },
  )

  it('may nest without end', async () => {
    const response = await post(PATH, '['.repeat(200_000) + ']'.repeat(200_000))
    expect(response.status).toBe(422)
  })
})

it('is no operation for pages of others: it carries no CORS headers', async () => {
  const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
  const preflight = await call(PATH, { method: 'OPTIONS', headers })
  const answer = await register({}, { origin: 'https://shop.example' })
  for (const { headers } of [preflight, answer]) expect(headers.has('access-control-allow-origin')).toBe(false)
})
