import { env } from 'cloudflare:workers'
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { keyId } from '../../src/access/api-keys.ts'
import { hashSecret } from '../../src/access/secrets.ts'
import { addMember, listMembers } from '../../src/accounts/members.ts'
import { tagOf } from '../../src/dashboard/settings/client-tag.ts'
import { DEFAULT_CAPTURE } from '../../src/storage/capture-settings.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createPlainApplication, type PlainApplication } from '../support/applications.ts'
import { Browser, signInWithKey } from '../support/browsing.ts'
import { createKey, getJson, postJson, request } from '../support/client.ts'
import { escaped, visit } from '../support/dashboard.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { requestWith } from '../support/failures.ts'
import { readAllChanges } from '../support/objects.ts'

/** The pages of the account, which are in no application's settings. */
const ACCOUNT = '/dashboard/my-account'

const db = openDatabase(env.DB)
const HOSTILE = `<script>alert(1)</script>"'&\u202e🍋`
const ESCAPED = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\u202e🍋'

afterEach(() => vi.useRealTimers())

/** An application without events, and a browser in which its owner is signed in. */
async function createOwned() {
  const { browser: owner, home, ...application } = await visit()
  return { ...application, owner, settings: `${home}/settings` }
}

async function pageOf(answer: Promise<Response>, status = 200): Promise<string> {
  const response = await answer
  expect(response.status).toBe(status)
  return response.text()
}

async function expectLedTo(answer: Promise<Response>, address: string): Promise<void> {
  const { status, headers } = await answer
  expect([status, headers.get('location')]).toEqual([303, address])
}

/** What is said beside the field with this id. */
function faultOf(page: string, id: string): string | undefined {
  return new RegExp(`id="${id}-faults">([^<]*)<`).exec(page)?.[1]
}

function sectionOf(page: string, id: string): string {
  return page.slice(page.indexOf(`id="${id}"`)).split('</section>')[0] ?? ''
}

async function keysOf(key: string) {
  const { data } = await (await getJson('/keys', key)).json<{ data: Record<string, string | boolean | null>[] }>()
  return data
}

const DETAILS = { name: 'Lime Shop', link: 'https://t.me/lime', description: 'Limes', photo_url: 'https://e.org/l.png' }

describe('the time zone', () => {
  it('changes with all events counted again, and shows the progress', async () => {
    const { owner, settings, applicationId, handle, key } = await createOwned()
    const events = [1, 2, 3].map((user) => ({ event_type: 'a', telegram_id: user, datetime: Date.now() }))
    await deliver(messagesOf(applicationId, events))
    await readAllChanges({ applicationId, objects: 1 })
    expect(sectionOf(await pageOf(owner.open(`${settings}/general`)), 'time-zone')).toContain('value="UTC"')
    const change = (time_zone: string) => owner.send(`${settings}/time-zone`, { time_zone })
    await expectLedTo(change(' asia/jakarta '), `${settings}/general?done=time-zone#time-zone`)
    await readAllChanges({ applicationId, objects: 33 })
    const section = sectionOf(await pageOf(owner.open(`${settings}/general`)), 'time-zone')
    expect(section).toContain(
      'Counting events in Asia/Jakarta: 3 of 3 events read. Until this is complete, figures use UTC days.',
    )
    expect(section).toContain('value="Asia/Jakarta"')
    await expectLedTo(change('UTC'), `${settings}/general?done=time-zone#time-zone`)
    expect(sectionOf(await pageOf(owner.open(`${settings}/general`)), 'time-zone')).not.toContain('Counting events')
    const { data } = await (await getJson(`/applications/${handle}`, key)).json<{ data: object }>()
    expect(data).toMatchObject({ time_zone: 'UTC', time_zone_next: null })
  })

  it('shows beside its field that a time zone is unknown, or why it cannot change now', async () => {
    const { owner, settings, applicationId } = await createOwned()
    const change = (time_zone: string) => pageOf(owner.send(`${settings}/time-zone`, { time_zone }), 422)
    const unknown = await change('Mars/Olympus')
    expect(faultOf(unknown, 'time_zone')).toMatch(/^It should be the IANA name of a time zone/)
    expect(sectionOf(unknown, 'time-zone')).toContain('value="Mars/Olympus"')
    await env.DB.prepare('insert into layouts (application_id, objects) values (?1, 1), (?1, 2)')
      .bind(applicationId)
      .run()
    expect(faultOf(await change('Asia/Jakarta'), 'time_zone')).toContain(
      'number of objects of this application is being changed',
    )
  })

  it('is chosen for a new application: that of the browser, or UTC without its script', async () => {
    const { owner, key } = await createOwned()
    const form = await pageOf(owner.open('/dashboard/new-application'))
    expect(form).toMatch(/<input(?=[^>]* name="time_zone")(?=[^>]* value="UTC")[^>]* data-browser-zone/)
    for (const [time_zone, expected] of [
      ['Asia/Kolkata', 'Asia/Kolkata'],
      ['', 'UTC'],
    ]) {
      const handle = `New_${randomUUID().slice(0, 8)}`
      const typed = { ...DETAILS, handle: `@${handle}`, time_zone: time_zone ?? '' }
      await expectLedTo(owner.send('/dashboard/new-application', typed), `/dashboard/${handle}/settings#connect`)
      const { data } = await (await getJson(`/applications/${handle}`, key)).json<{ data: object }>()
      expect(data).toMatchObject({ time_zone: expected, time_zone_next: null })
    }
  })
})

describe('a new application', () => {
  const PATH = '/dashboard/new-application'

  it('is registered, and the way leads to how it is connected', async () => {
    const { owner, key } = await createOwned()
    const handle = `New_${randomUUID().slice(0, 8)}`
    expect(await pageOf(owner.open(PATH))).toContain('name="handle"')
    await expectLedTo(owner.send(PATH, { ...DETAILS, handle: `@${handle}` }), `/dashboard/${handle}/settings#connect`)
    const { data } = await (await getJson(`/applications/${handle}`, key)).json<{ data: object }>()
    expect(data).toMatchObject({ ...DETAILS, handle })
    expect(await pageOf(owner.open(`/dashboard/${handle}/settings`))).toContain('Waiting for the first event')
    // The account's own keys act for what they acted for.
    expect((await keysOf(key)).map((listed) => listed.handle)).not.toContain(handle)
  })

  it('is not registered if a field is invalid; the fault is beside the field, which keeps what was typed', async () => {
    const { owner } = await createOwned()
    const typed = { ...DETAILS, name: '', handle: 'lime-shop', link: 'ftp://x', description: HOSTILE }
    const page = await pageOf(owner.send(PATH, typed), 422)
    expect(['name', 'handle', 'link', 'description', 'photo_url'].map((id) => faultOf(page, id))).toEqual([
      'Fill this in',
      'Use Latin letters, digits and underscores',
      'It should begin with http://, https:// or t.me/',
      undefined,
      undefined,
    ])
    for (const kept of ['value="@lime-shop"', 'value="ftp://x"', ESCAPED, DETAILS.photo_url]) {
      expect(page).toContain(kept)
    }
    expect(page).not.toContain('<script>alert')
  })

  it('cannot take the handle of another one, which stays as it is', async () => {
    const { owner, key, handle } = await createOwned()
    const other = await createPlainApplication()
    const taken = await pageOf(owner.send(PATH, { ...DETAILS, handle: other.handle.toUpperCase() }), 409)
    expect(faultOf(taken, 'handle')).toBe('This handle is registered by another account')
    const own = await pageOf(owner.send(PATH, { ...DETAILS, handle }), 409)
    expect(faultOf(own, 'handle')).toContain('You have already added this application')
    for (const asked of [
      getJson(`/applications/${handle}`, key),
      getJson(`/applications/${other.handle}`, other.key),
    ]) {
      expect((await (await asked).json<{ data: { name: string } }>()).data.name).toBe('Lemon Shop')
    }
  })
})

describe('an application', () => {
  it('is changed, and period and filters of the other pages stay', async () => {
    const { owner, settings, handle, key } = await createOwned()
    const changed = { ...DETAILS, name: HOSTILE }
    await expectLedTo(
      owner.send(`${settings}/application?period=7d`, changed),
      `${settings}/general?period=7d&done=application#application`,
    )
    const { data } = await (await getJson(`/applications/${handle}`, key)).json<{ data: object }>()
    expect(data).toMatchObject(changed)
    const page = await pageOf(owner.open(`${settings}/general?period=7d&done=application`))
    expect(sectionOf(page, 'application')).toContain('Saved.')
    expect(page).toContain(`value="${ESCAPED}"`)
    expect(page).not.toContain('<script>alert')
  })

  it('stays as it was where something is wrong', async () => {
    const { owner, settings, handle, key } = await createOwned()
    const page = await pageOf(owner.send(`${settings}/application`, { ...DETAILS, name: 'x'.repeat(101) }), 422)
    expect(faultOf(page, 'name')).toBe('It should have at most 100 characters')
    expect(page).toContain('value="https://t.me/lime"')
    const { data } = await (await getJson(`/applications/${handle}`, key)).json<{ data: { name: string } }>()
    expect(data.name).toBe('Lemon Shop')
  })
})

describe('capture settings', () => {
  const configOf = async (key: string) =>
    (await request('/v1/client/config?client=mauve', { headers: { authorization: key } })).json<
      Record<string, unknown>
    >()

  it('apply to clients within 90 seconds', async () => {
    const { owner, settings, key } = await createOwned()
    expect(await configOf(key)).toMatchObject(DEFAULT_CAPTURE)
    const form = new URLSearchParams([
      ['auto_capture_tags', ' a \r\n\r\nbutton\r\na'],
      ['auto_capture_classes', ''],
      ['auto_capture_mini_app_events', 'InvoiceClosed'],
      ['auto_capture_mini_app_events', 'PopupClosed'],
      ['auto_capture_telegram', 'on'],
      ['auto_capture_telegram_events', 'message'],
      ['auto_capture_commands', '/start'],
      ['auto_capture_messages', HOSTILE],
      ['advanced_tracking_features', 'wallet_connected'],
      ['mauve.mini_app_events', 'ChatRequested'],
      ['mauve.telegram_events', 'subscription'],
      ['mauve.telegram_events', 'other'],
      ['mauve.errors', 'on'],
    ])
    await expectLedTo(owner.send(`${settings}/capture`, form), `${settings}/capture?done=capture#capture`)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90_000 })
    const expected = {
      auto_capture: false,
      auto_capture_tags: ['a', 'button'],
      auto_capture_classes: [],
      auto_capture_mini_app_events: ['InvoiceClosed', 'PopupClosed'],
      auto_capture_commands: ['/start'],
      auto_capture_messages: [HOSTILE],
      auto_capture_telegram: true,
      auto_capture_telegram_events: ['message'],
      advanced_tracking_features: ['wallet_connected'],
      mauve: {
        mini_app_events: ['ChatRequested'],
        telegram_events: ['subscription', 'other'],
        foreground_time: false,
        errors: true,
      },
    }
    await expect.poll(() => configOf(key)).toMatchObject(expected)
    const tabs = ['', '?tab=bot'].map((tab) => pageOf(owner.open(`${settings}/capture${tab}`)))
    const page = (await Promise.all(tabs)).join()
    const checked = [...page.matchAll(/<input type="checkbox" name="([\w.]+)"(?: value="(\w+)")? checked=""/g)]
    expect(checked.map(([, name, value]) => value ?? name)).toEqual([
      'InvoiceClosed',
      'PopupClosed',
      'ChatRequested',
      'mauve.errors',
      'wallet_connected',
      'auto_capture_telegram',
      'message',
      'subscription',
      'other',
    ])
    expect(page).toContain(`>${ESCAPED}</textarea>`)
  })

  it('capture settings saved in one tab leave those of another tab as they are', async () => {
    const { owner, settings, handle, key } = await createOwned()
    const stored = async () =>
      (await (await getJson(`/applications/${handle}/client-config`, key)).json<{ data: object }>()).data
    const typed = { auto_capture_commands: '/start', 'mauve.telegram_events': 'other' }
    await owner.send(`${settings}/capture`, { tab: 'bot', ...typed })
    const ofBot = { auto_capture_telegram: false, auto_capture_telegram_events: [], auto_capture_commands: ['/start'] }
    const mauve = { ...DEFAULT_CAPTURE.mauve, telegram_events: ['other'] }
    expect(await stored()).toEqual({ ...DEFAULT_CAPTURE, ...ofBot, auto_capture_messages: [], mauve })
    await owner.send(`${settings}/capture`, { tab: 'mini-app', auto_capture_tags: 'a', 'mauve.errors': 'on' })
    const ofPage = { auto_capture: false, auto_capture_tags: ['a'], mauve: { ...mauve, errors: true } }
    expect(await stored()).toMatchObject({ ...ofBot, ...ofPage })
  })

  it('stay as they were if a line is invalid, and the fault names the line', async () => {
    const { owner, settings, handle, key } = await createOwned()
    const tags = `a\n${'x'.repeat(101)}`
    const page = await pageOf(owner.send(`${settings}/capture`, { auto_capture_tags: tags }), 422)
    expect(faultOf(page, 'auto_capture_tags')).toBe(`“${'x'.repeat(30)}…”: It should have at most 100 characters`)
    expect(page).toContain(`>${tags}</textarea>`)
    const { data } = await (await getJson(`/applications/${handle}/client-config`, key)).json<{ data: object }>()
    expect(data).toEqual(DEFAULT_CAPTURE)
  })
})

describe('a key', () => {
  const KEY = /<code class="copied">([0-9a-f-]{36})<\/code>/

  it('a key for a client is shown once with what to do next, and its event turns the light green', async () => {
    const { owner, settings, handle, key } = await createOwned()
    const all = () => owner.open(`/dashboard/${handle}/connection`)
    expect(await pageOf(all())).toContain('Waiting for the first event')
    expect(
      (await postJson('/v1/client/events', key, { event_type: 'Other', telegram_id: 4, datetime: Date.now() })).status,
    ).toBe(200)
    await expect.poll(async () => (await all()).text()).toContain('Connected: last event <bdi>Other</bdi>')
    const response = await owner.send(`${settings}/keys`, { name: 'Client', scope: 'client', handle })
    expect(response.headers.get('cache-control')).toBe('no-store')
    const page = await pageOf(Promise.resolve(response))
    const [, made = ''] = KEY.exec(page) ?? []
    expect(page).toContain(`x-api-key: ${made}`)
    const { data } = await (await getJson(`/applications/${handle}`, key)).json<{ data: { project_id: string } }>()
    expect(page).toContain(`x-project-id: ${data.project_id}`)
    const tag = (apiKey: string) => escaped(tagOf({ origin: owner.origin, apiKey, projectId: data.project_id }))
    expect(page).toContain(tag(made))
    expect(await pageOf(owner.open(settings))).toContain(tag('YOUR-CLIENT-KEY'))
    // Other clients have sent before, which says nothing of this one.
    expect(page).toContain('Waiting for the first event of this key')
    const [, address = ''] = /data-connection="([^"]*)"/.exec(page) ?? []
    const ofKey = () => owner.open(address)
    expect(await pageOf(ofKey())).toContain('Waiting for the first event of this key')
    const event = { event_type: HOSTILE, telegram_id: 5, datetime: Date.now() }
    expect((await postJson('/v1/client/events', made, event)).status).toBe(200)
    await expect.poll(async () => (await ofKey()).text()).toContain('Connected: last event of this key')
    expect(await pageOf(ofKey())).toContain(`<bdi>${ESCAPED}</bdi>, user <a href="/dashboard/${handle}/users/5">5</a>`)
    const lists = [`${settings}/keys`, `${settings}/keys?done=keys`, `${ACCOUNT}/keys`]
    for (const path of [settings, ...lists]) expect(await pageOf(owner.open(path))).not.toContain(made)
    for (const path of lists) expect(await pageOf(owner.open(path))).toContain(`…${made.slice(-4)}`)
    // Whoever asks for the address of the form makes no second one.
    const before = await keysOf(key)
    await pageOf(owner.open(`${settings}/keys`))
    expect(await keysOf(key)).toEqual(before)
  })

  it('opens what its scope says', async () => {
    const { owner, settings, handle } = await createOwned()
    const statuses = { client: [403, 403], read: [200, 403], full: [200, 200] }
    for (const [scope, expected] of Object.entries(statuses)) {
      const page = await pageOf(owner.send(`${settings}/keys`, { name: HOSTILE, scope, handle }))
      const [, made = ''] = KEY.exec(page) ?? []
      const asked = await Promise.all(['/events/latest', '/keys'].map((path) => getJson(path, made)))
      expect(asked.map(({ status }) => status)).toEqual(expected)
      expect(page).not.toContain('<script>alert')
    }
  })

  it('shows assistants individual users only where that is ticked, and never one for pages', async () => {
    const { owner, settings, handle, key } = await createOwned()
    const typed = { name: 'Assistant', scope: 'read', handle }
    await pageOf(owner.send(`${settings}/keys`, typed))
    expect((await keysOf(key)).filter(({ name, persons }) => name === typed.name && persons)).toEqual([])
    expect(await pageOf(owner.send(`${settings}/keys`, { ...typed, persons: 'on' }))).toContain('/mcp</code>')
    expect((await keysOf(key)).filter(({ name, persons }) => name === typed.name && persons)).toHaveLength(1)
    expect(await pageOf(owner.open(`${settings}/keys`))).toContain('assistants see individual users')
    const refused = await pageOf(owner.send(`${settings}/keys`, { ...typed, scope: 'client', persons: 'on' }), 422)
    expect(faultOf(refused, 'key-persons')).toBe('A key of scope client shows nobody')
    expect(refused).toMatch(/name="persons" checked/)
  })

  it('a key for a bot has scope full: the lines for it never hold one that pages have', async () => {
    const { owner, settings, handle } = await createOwned()
    const inBot = (key: string) => expect.stringMatching(new RegExp(`createBotClient\\({[^}]*key: &#39;${key}&#39;`))
    for (const scope of ['client', 'full']) {
      const page = await pageOf(owner.send(`${settings}/keys`, { name: 'Bot', scope, handle }))
      const [, made = ''] = KEY.exec(page) ?? []
      expect(page).toEqual(inBot(scope === 'full' ? made : 'YOUR-FULL-KEY'))
    }
    expect(await pageOf(owner.open(settings))).toEqual(inBot('YOUR-FULL-KEY'))
  })

  it('is not made where something is wrong', async () => {
    const { owner, settings, key } = await createOwned()
    const other = await createPlainApplication()
    const before = await keysOf(key)
    const typed = { name: '', scope: 'all', handle: other.handle }
    const page = await pageOf(owner.send(`${settings}/keys`, typed), 422)
    expect(['key-name', 'key-scope'].map((id) => faultOf(page, id))).toEqual([
      'Fill this in',
      'Choose one of the options',
    ])
    const foreign = await pageOf(owner.send(`${settings}/keys`, { ...typed, name: 'x', scope: 'full' }), 422)
    expect(faultOf(foreign, 'key-handle')).toBe('No application of this account has this handle')
    expect(await keysOf(key)).toEqual(before)
  })

  it('revoking a key ends it and the sessions that it opened', async () => {
    const { owner, settings, accountId, key } = await createOwned()
    const session = await signInWithKey(await createKey(accountId, 'full'))
    const own = sectionOf(await pageOf(session.open(`${ACCOUNT}/keys`)), 'keys')
    const [, id = ''] = /keys\/([0-9a-f]{16})\/revoke(?:(?!<li>).)*?You are signed out with it/s.exec(own) ?? []
    expect(own.match(/you are signed in with it/g)).toHaveLength(1)
    await expectLedTo(owner.send(`${ACCOUNT}/keys/${id}/revoke`, {}), `${ACCOUNT}/keys?done=keys#keys`)
    expect((await keysOf(key)).find((listed) => listed.id === id)).toMatchObject({ revoked_at: expect.any(String) })
    expect((await session.open(settings)).headers.get('location')).toContain('/sign-in?')
    expect(sectionOf(await pageOf(owner.open(`${ACCOUNT}/keys`)), 'keys')).toContain('1 revoked key')
  })

  it("keys made in an application's settings are for it; those of the account may be for all", async () => {
    const { owner, settings, handle, key } = await createOwned()
    const page = await pageOf(owner.send(`${ACCOUNT}/keys`, { name: 'Of all', scope: 'read', handle: '' }))
    expect(page).toMatch(KEY)
    expect((await keysOf(key)).find(({ name }) => name === 'Of all')).toMatchObject({ handle: null, scope: 'read' })
    await owner.send(`${settings}/keys`, { name: 'Of one', scope: 'read', handle })
    const [own, all] = [await pageOf(owner.open(`${settings}/keys`)), await pageOf(owner.open(`${ACCOUNT}/keys`))]
    expect([own.includes('Of one'), own.includes('Of all')]).toEqual([true, false])
    expect([all.includes('Of one'), all.includes('Of all')]).toEqual([true, true])
  })
})

describe('users that are real', () => {
  it('are those of the bot that is named, and the API says the same', async () => {
    const { owner, settings, handle, key } = await createOwned()
    const settingsOf = async () => (await getJson(`/applications/${handle}`, key)).json<{ data: object }>()
    const save = (form: Record<string, string>) => owner.send(`${settings}/real-users`, form)
    const done = (how: string) => `${settings}/real-users?done=${how}#real-users`
    // Of a token that is pasted the id is taken, and the secret is not kept anywhere, as the page says.
    const pasted = save({ bot_id: ' 4711:AAH-secret ', init_data_hours: '6', verified_only: 'on' })
    await expectLedTo(pasted, done('real-users-id'))
    expect(await pageOf(owner.open(done('real-users-id')))).toContain('Only the id of the bot token was kept')
    const saved = { bot_id: 4711, init_data_hours: 6, verified_only: true }
    expect((await settingsOf()).data).toMatchObject(saved)
    const page = sectionOf(await pageOf(owner.open(`${settings}/real-users`)), 'real-users')
    expect(page).toMatch(/<input name="bot_id"[^>]* value="4711"/)
    expect(page).toMatch(/name="verified_only" checked/)
    await expectLedTo(save({ bot_id: '', init_data_hours: '24' }), done('real-users'))
    expect((await settingsOf()).data).toMatchObject({ bot_id: null, init_data_hours: 24, verified_only: false })
  })

  it('are not changed if a field is invalid; the fault is beside the field, which keeps what was typed', async () => {
    const { owner, settings, handle, key } = await createOwned()
    const refused = async (form: Record<string, string>) => {
      const page = await pageOf(owner.send(`${settings}/real-users`, form), 422)
      return { page, faults: ['bot_id', 'init_data_hours'].map((field) => faultOf(page, field)) }
    }
    const wrong = await refused({ bot_id: HOSTILE, init_data_hours: '169', verified_only: 'on' })
    expect(wrong.faults).toEqual(['Enter a whole number', 'Enter a whole number of 168 or less'])
    for (const kept of [ESCAPED, 'value="169"', 'name="verified_only" checked']) expect(wrong.page).toContain(kept)
    expect((await refused({ bot_id: '-5', init_data_hours: '1.5' })).faults).toEqual([
      'Enter a whole number of 1 or more',
      'Enter a whole number',
    ])
    const { faults } = await refused({ bot_id: '', init_data_hours: '24', verified_only: 'on' })
    expect(faults[0]).toContain('Verification needs your bot id')
    const { data } = await (await getJson(`/applications/${handle}`, key)).json<{ data: object }>()
    expect(data).toMatchObject({ bot_id: null, init_data_hours: 24, verified_only: false })
  })

  it('are shown on the pages', async () => {
    const { owner, settings, handle, applicationId } = await createOwned()
    const at = { event_type: 'Open', datetime: Date.now() - 60_000 }
    const [real, others] = [{ ...at, telegram_id: 1, verified: true }, [2, 3].map((id) => ({ ...at, telegram_id: id }))]
    await deliver(messagesOf(applicationId, [real, ...others]))
    const home = `/dashboard/${handle}`
    const [verified, notVerified] = ['Verified: only these users', 'Not verified: only these users']
    expect(await pageOf(owner.open(home))).not.toContain(verified)
    await owner.send(`${settings}/real-users`, { bot_id: '4711', init_data_hours: '24' })
    const overview = await pageOf(owner.open(home))
    expect(overview).toMatch(/>Verified<\/a> <a [^>]*>33\.3%</)
    expect(await pageOf(owner.open(`${home}/values?property=verified`))).toMatch(
      new RegExp(
        `"${notVerified}".*?<td class="number"><a[^>]*>2<.*"${verified}".*?<td class="number"><a[^>]*>1<`,
        's',
      ),
    )
    expect(overview).toContain('<option value="verified">Verified</option>')
    const filters = JSON.stringify({ prop: 'verified', op: 'is', values: ['true'] })
    const asked = new URLSearchParams({ event: 'Open', group_by: 'verified', filters })
    const events = await pageOf(owner.open(`${home}/events?${asked}`))
    expect(events).toContain('"Verified: only these events"')
    expect(events).not.toContain('"Not verified: only these events"')
    expect(events).toContain('<bdi>Verified</bdi>')
    for (const path of ['funnels?events=Open&events=Open&group_by=verified', 'retention?group_by=verified']) {
      expect(await pageOf(owner.open(`${home}/${path}`))).toContain('Not verified')
    }
    expect(await pageOf(owner.open(`${home}/users/1`))).toContain('<bdi>verified</bdi>')
    expect(await pageOf(owner.open(`${home}/users/2`))).not.toContain('verified')
  })
})

describe('members', () => {
  const nobody = { telegram_id: '7234567890', name: 'Ann', role: 'viewer' }

  it('are added, get another role, and are removed', async () => {
    const { owner, accountId } = await createOwned()
    const members = async () =>
      (await listMembers(db, accountId)).map(({ telegramId, name, role }) => ({ telegramId, name, role }))
    const done = `${ACCOUNT}/members?done=members#members`
    await expectLedTo(owner.send(`${ACCOUNT}/members`, { ...nobody, name: HOSTILE }), done)
    expect(await members()).toEqual([{ telegramId: 7234567890, name: HOSTILE, role: 'viewer' }])
    expect(sectionOf(await pageOf(owner.open(`${ACCOUNT}/members`)), 'members')).toContain(ESCAPED)
    await expectLedTo(owner.send(`${ACCOUNT}/members/7234567890/role`, { role: 'owner' }), done)
    expect(await members()).toMatchObject([{ role: 'owner' }])
    // Added again they get the name, and never another role unawares.
    const demoting = await pageOf(owner.send(`${ACCOUNT}/members`, { ...nobody, name: 'Ann' }), 422)
    expect(faultOf(demoting, 'member-telegram_id')).toContain('Already a member, as owner')
    await expectLedTo(owner.send(`${ACCOUNT}/members`, { ...nobody, role: 'owner', name: 'Ann' }), done)
    expect(await members()).toEqual([{ telegramId: 7234567890, name: 'Ann', role: 'owner' }])
    await expectLedTo(owner.send(`${ACCOUNT}/members/7234567890/remove`, {}), done)
    expect(await members()).toEqual([])
  })

  it('are not added where something is wrong', async () => {
    const { owner, accountId } = await createOwned()
    const faults = {
      '': 'Enter a whole number',
      '0': 'Enter a whole number of 1 or more',
      '-5': 'Enter a whole number of 1 or more',
      '1e3': 'Enter a whole number',
      '@ann': 'Enter a whole number',
      '9999999999999999': 'Enter a whole number of 9,007,199,254,740,991 or less',
    }
    for (const [id, fault] of Object.entries(faults)) {
      const typed = { telegram_id: id, name: 'x'.repeat(101), role: 'king' }
      const page = await pageOf(owner.send(`${ACCOUNT}/members`, typed), 422)
      expect(['telegram_id', 'name', 'role'].map((field) => faultOf(page, `member-${field}`))).toEqual([
        fault,
        'It should have at most 100 characters',
        'Choose one of the options',
      ])
    }
    expect(await listMembers(db, accountId)).toEqual([])
  })

  it("can be changed by forms that were opened when they were part of an application's settings", async () => {
    const { owner, settings, accountId } = await createOwned()
    const sent = await owner.send(`${settings}/members?period=7d`, nobody)
    expect([sent.status, sent.headers.get('location')]).toEqual([307, `${ACCOUNT}/members`])
    const removed = await owner.send(`${settings}/members/5/remove`, {})
    expect([removed.status, removed.headers.get('location')]).toEqual([307, `${ACCOUNT}/members/5/remove`])
    expect(await listMembers(db, accountId)).toEqual([])
  })
})

/** Every form, as it would change something; about the application of these settings. */
function formsOf({ settings, keyOf, member }: { settings: string; keyOf: string; member: number }) {
  return [
    ['/dashboard/new-application', { ...DETAILS, handle: `new_${randomUUID().slice(0, 8)}` }],
    [`${settings}/application`, DETAILS],
    [`${settings}/capture`, { auto_capture_tags: 'div' }],
    [`${settings}/keys`, { name: 'More', scope: 'full' }],
    [`${settings}/real-users`, { bot_id: '4711', init_data_hours: '1' }],
    [`${settings}/keys/${keyId(hashSecret(keyOf))}/revoke`, {}],
    [`${ACCOUNT}/members`, { telegram_id: '6', name: 'Eve', role: 'owner' }],
    [`${ACCOUNT}/members/${member}/role`, { role: 'owner' }],
    [`${ACCOUNT}/members/${member}/remove`, {}],
  ] as readonly [string, Record<string, string>][]
}

/** Everything that the forms could change. */
async function stateOf({ accountId, key }: PlainApplication) {
  const asked = await Promise.all(['/applications', '/keys'].map((path) => getJson(path, key)))
  const [applications, keys] = await Promise.all(
    asked.map(async (answer) => (await answer.json<{ data: Record<string, unknown>[] }>()).data),
  )
  const capture = await env.DB.prepare('select capture from applications where account_id = ?').bind(accountId).all()
  const stays = keys?.map(({ last_used_at, ...rest }) => rest)
  return { applications, keys: stays, capture: capture.results, members: await listMembers(db, accountId) }
}

describe('nothing is changed', () => {
  const MEMBER = 77

  async function createWithMember() {
    const owned = await createOwned()
    const { accountId } = owned
    await addMember(db, { accountId, telegramId: MEMBER, name: 'Bob', role: 'viewer' }, Date.now())
    return owned
  }

  it('viewers change nothing, and are shown no form', async () => {
    const owned = await createWithMember()
    const { accountId, applicationId, settings, key } = owned
    for (const scopedTo of [null, applicationId]) {
      const viewer = await signInWithKey(await createKey(accountId, 'read', scopedTo))
      const before = await stateOf(owned)
      for (const [path, form] of formsOf({ settings, keyOf: key, member: MEMBER })) {
        expect([path, (await viewer.send(path, form)).status]).toEqual([path, 403])
      }
      expect(await stateOf(owned)).toEqual(before)
      expect((await viewer.open('/dashboard/new-application')).status).toBe(403)
      const pages = ['', '/capture', '/real-users', '/sources', '/revenue', '/data', '/general']
      const page = (await Promise.all(pages.map((path) => pageOf(viewer.open(settings + path))))).join()
      const actions = [...page.matchAll(/<form method="post"[^>]*action="([^"]*)"/g)].map(([, action]) => action)
      expect(new Set(actions)).toEqual(new Set(['/sign-out']))
    }
  })

  it('a form from elsewhere changes nothing', async () => {
    const owned = await createWithMember()
    const before = await stateOf(owned)
    for (const [path, form] of formsOf({ settings: owned.settings, keyOf: owned.key, member: MEMBER })) {
      const answer = await owned.owner.send(path, form, { origin: 'https://evil.test' })
      expect([path, answer.status]).toEqual([path, 403])
    }
    expect(await stateOf(owned)).toEqual(before)
  })

  it('nothing changes in another account, whose applications are not found', async () => {
    const [own, other] = [await createOwned(), await createWithMember()]
    const before = await stateOf(other)
    const forms = formsOf({ settings: other.settings, keyOf: other.key, member: MEMBER })
    const foreign = forms.filter(([path]) => path.startsWith(other.settings))
    expect(foreign).toHaveLength(forms.length - 4)
    // By the way of an application of their own.
    const around = formsOf({ settings: own.settings, keyOf: other.key, member: MEMBER }).filter(([path]) =>
      /revoke|role|remove/.test(path),
    )
    for (const [path, form] of [...foreign, ...around]) {
      expect([path, (await own.owner.send(path, form)).status]).toEqual([path, 404])
    }
    for (const path of [
      other.settings,
      `/dashboard/${other.handle}/connection`,
      `/dashboard/${other.handle}/search/results`,
    ]) {
      expect((await own.owner.open(path)).status).toBe(404)
    }
    expect((await own.owner.send(`${other.settings}/members`, {})).status).toBe(404)
    expect(await stateOf(other)).toEqual(before)
  })
})

it('changes share a budget with those by API: too many end with 429', async () => {
  const { owner, settings } = await createOwned()
  const bindings = { REGISTRATION_BY_KEY: { limit: async () => ({ success: false }) } as RateLimit }
  const headers = { origin: owner.origin, cookie: owner.cookie }
  // In the middle of a period, so that it does not end meanwhile.
  vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / 10_000) * 10_000 + 1_000 })
  const statuses: number[] = []
  for (let tries = 0; tries < 22; tries++) {
    const answer = await requestWith(bindings, `${ACCOUNT}/members/1/remove`, { method: 'POST', headers })
    statuses.push(answer.status)
  }
  expect(statuses).toEqual([...Array(21).fill(404), 429])
  expect((await owner.open(settings)).status).toBe(200)
})

it('somebody who signed in with a read key sees no other key and no member of the account, as over the API', async () => {
  const { owner, accountId, applicationId, handle, settings } = await createOwned()
  const second = `second_${randomUUID().slice(0, 8)}`
  await owner.send('/dashboard/new-application', { ...DETAILS, handle: second })
  await owner.send(`${settings}/keys`, { name: 'Of the second', scope: 'client', handle: second })
  await owner.send(`${settings}/keys`, { name: 'Of the first', scope: 'client', handle })
  await addMember(db, { accountId, telegramId: 7_878_787_878, name: 'Carol', role: 'owner' }, Date.now())
  for (const scopedTo of [applicationId, null]) {
    const key = await createKey(accountId, 'read', scopedTo)
    const viewer = await signInWithKey(key)
    const pages = ['', '/capture', '/real-users', '/sources', '/revenue', '/data', '/general'].map(
      (path) => settings + path,
    )
    const session = await pageOf(viewer.open(`${ACCOUNT}/session`))
    const page = [session, ...(await Promise.all(pages.map((path) => pageOf(viewer.open(path)))))].join()
    for (const path of [`${settings}/keys`, ...['keys', 'members', 'audit'].map((name) => `${ACCOUNT}/${name}`)]) {
      expect([path, (await viewer.open(path)).status]).toEqual([path, 403])
    }
    expect(sectionOf(session, 'session')).toContain(`with the key …${key.slice(-4)}`)
    for (const hidden of ['Of the first', 'Of the second', 'Carol', '7878787878', 'id="keys"', 'id="members"']) {
      expect(page).not.toContain(hidden)
    }
    if (scopedTo) expect(page).not.toContain(second)
  }
  const all = (await Promise.all(['keys', 'members'].map((page) => pageOf(owner.open(`${ACCOUNT}/${page}`))))).join()
  for (const shown of ['Of the first', 'Of the second', 'Carol']) expect(all).toContain(shown)
})

describe('the export', () => {
  it('can be downloaded by everybody who is signed in, for the chosen days', async () => {
    const { applicationId, accountId, handle, settings, owner } = await createOwned()
    const times = ['2026-03-01T12:00:00Z', '2026-03-02T12:00:00Z']
    const events = times.map((datetime) => ({ event_type: HOSTILE, telegram_id: 5, datetime }))
    await deliver(messagesOf(applicationId, events))
    const viewer = await signInWithKey(await createKey(accountId, 'read', applicationId))
    for (const browser of [owner, viewer]) {
      expect(sectionOf(await pageOf(browser.open(`${settings}/data`)), 'export')).toContain(
        `action="/dashboard/${handle}/export"`,
      )
      const form = 'what=events&start=2026-03-02&end=&format=ndjson'
      const response = await browser.open(`/dashboard/${handle}/export?${form}`)
      expect(response.headers.get('content-disposition')).toBe(
        `attachment; filename="${handle}-events-20260302.ndjson"`,
      )
      const lines = (await response.text()).trimEnd().split('\n')
      expect(lines.map((line) => JSON.parse(line).name)).toEqual([HOSTILE, undefined])
      const table = await browser.open(`/dashboard/${handle}/export?what=users&start=&end=&format=csv`)
      expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      await pageOf(browser.open(`/dashboard/${handle}/export?format=xml`), 422)
    }
    expect((await new Browser().open(`/dashboard/${handle}/export`)).status).toBe(303)
  })
})

it('addresses from when settings were one page redirect', async () => {
  const { owner, settings } = await createOwned()
  for (const [path, now] of [
    ['/application', `${settings}/general#application`],
    ['/time-zone', `${settings}/general#time-zone`],
    ['/keeping?period=7d', `${settings}/data?period=7d#keeping`],
    ['/sources/preview', `${settings}/sources#sources`],
    ['/members/5/role', `${ACCOUNT}/members`],
    ['/none', `${settings}#connect`],
  ] as const) {
    await expectLedTo(owner.open(settings + path), now)
  }
  const page = await pageOf(owner.open(settings))
  // By these the script leads on from an anchor.
  for (const parts of ['export keeping', 'application time-zone deletion', 'members', 'audit', 'session']) {
    expect(page).toContain(`data-parts="${parts}"`)
  }
})
