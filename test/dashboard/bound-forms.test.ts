import { expect, it } from 'vitest'
import { visit } from '../support/dashboard.ts'

const LONG = 'x'.repeat(3_000)
const DETAILS = { name: 'Lime', link: 'https://t.me/lime', description: '', photo_url: 'https://e.org/l.png' }
const REAL_USERS = { bot_id: '4711', init_data_hours: '24' }
const KEY = { name: 'Report', scope: 'read' }
const MEMBER = { telegram_id: '7', name: 'Ann', role: 'viewer' }
const ALERT = { name: 'Quiet', 'rule.type': 'silent', 'rule:silent.minutes': '30', 'target.type': 'webhook' }
const SHARE = { report: 'Days', days: '7' }
const RULE = {
  'rules.0.event': 'a',
  'rules.0.kind': 'sale',
  'rules.0.amount': '5',
  'rules.0.currency': 'EUR',
  'rules.0.unit': 'major',
}
const WEBHOOK = { 'target:webhook.url': 'https://example.com' }

/** Where a form is sent, what is typed into it, the field that is wrong, and what stands beside it. */
const REFUSED: readonly (readonly [string, Readonly<Record<string, string>>, string, string])[] = [
  ['/settings/application', { ...DETAILS, name: '' }, 'name', 'Fill this in'],
  ['/settings/application', { ...DETAILS, name: LONG }, 'name', 'It should have at most 100 characters'],
  ['/settings/application', { ...DETAILS, description: LONG }, 'description', 'It should have at most 500 characters'],
  ['/settings/application', { ...DETAILS, link: 'ftp://x' }, 'link', 'It should begin with http://, https:// or t.me/'],
  ['/dashboard/new-application', { ...DETAILS, handle: '' }, 'handle', 'Fill this in'],
  ['/dashboard/new-application', { ...DETAILS, handle: LONG }, 'handle', 'It should have at most 100 characters'],
  ['/settings/time-zone', { time_zone: 'Mars' }, 'time_zone', 'It should be the IANA name of a time zone'],
  ['/settings/keeping', { keep_months: '0' }, 'keep_months', 'Enter a whole number of 2 or more'],
  ['/settings/keeping', { keep_months: '9999' }, 'keep_months', 'Enter a whole number of 120 or less'],
  ['/settings/real-users', { ...REAL_USERS, init_data_hours: '' }, 'init_data_hours', 'Fill this in'],
  ['/settings/real-users', { ...REAL_USERS, bot_id: '0' }, 'bot_id', 'Enter a whole number of 1 or more'],
  ['/settings/keys', { ...KEY, name: '' }, 'key-name', 'Fill this in'],
  ['/settings/keys', { ...KEY, name: LONG }, 'key-name', 'It should have at most 100 characters'],
  ['/dashboard/my-account/members', { ...MEMBER, telegram_id: '0' }, 'member-telegram_id', 'Enter a whole number of 1'],
  ['/dashboard/my-account/members', { ...MEMBER, name: LONG }, 'member-name', 'It should have at most 100 characters'],
  ['/annotations', { date: '2026-11-20', text: '' }, 'text', 'Fill this in'],
  ['/annotations', { date: '2026-11-20', text: LONG }, 'text', 'It should have at most 200 characters'],
  ['/annotations', { date: 'today', text: 'x' }, 'date', 'It should be a day as YYYY-MM-DD'],
  ['/boards', { name: '', reports: 'Days' }, 'board-name', 'Fill this in'],
  ['/boards', { name: LONG, reports: 'Days' }, 'board-name', 'It should have at most 100 characters'],
  ['/saved-questions', { name: '', address: 'home' }, 'saved-name', 'Fill this in'],
  ['/saved-questions', { name: LONG, address: 'home' }, 'saved-name', 'It should have at most 100 characters'],
  ['/shares', { ...SHARE, days: '5' }, 'days', 'Choose one of the options'],
  ['/shares', { ...SHARE, password: 'short' }, 'password', 'A password has 8 to 200 characters'],
  ['/shares', { ...SHARE, hosts: 'a.org\nftp://b.org' }, 'hosts', '“ftp://b.org”: It should be an address such as'],
  [
    '/settings/capture',
    { tab: 'bot', auto_capture_commands: LONG },
    'auto_capture_commands',
    '…”: It should have at most',
  ],
  ['/settings/revenue', { ...RULE, 'rules.0.amount': '-5' }, 'rules.0.amount', 'It should be'],
  ['/settings/revenue', { ...RULE, 'rules.0.currency': '€' }, 'rules.0.currency', 'It should be'],
  ['/notifications', { ...ALERT, ...WEBHOOK, name: '' }, 'alert-name', 'Fill this in'],
  [
    '/notifications',
    { ...ALERT, ...WEBHOOK, 'rule:silent.minutes': '1' },
    'alert-rule:silent.minutes',
    'Enter a number of minutes of 10 or more',
  ],
  [
    '/cohorts',
    { action: 'save', name: '', match: 'all', 'conditions.0.type': 'did', 'conditions.0:did.event': 'a' },
    'name',
    'Fill this in',
  ],
]

it('a refused form says what is wrong at the field that is wrong, and only there', async () => {
  const { browser, home } = await visit()
  await browser.send(`${home}/saved-questions`, { name: 'Days', address: home })
  for (const [path, typed, field, fault] of REFUSED) {
    const sent = typed.address === undefined ? typed : { ...typed, address: home }
    const answer = await browser.send(path.startsWith('/dashboard') ? path : home + path, sent)
    const page = await answer.text()
    const faults = [...page.matchAll(/<span class="fault" id="([^"]*)-faults">([^<]*)/g)]
    expect([path, answer.status, faults.map(([, id]) => id)]).toEqual([path, 422, [field]])
    expect(faults[0]?.[2]).toContain(fault)
    expect(page.split(fault)).toHaveLength(2)
    expect(page).toMatch(new RegExp(`<(input|select|textarea)(?=[^>]* id="${field}")[^>]* aria-invalid="true"`))
  }
})
