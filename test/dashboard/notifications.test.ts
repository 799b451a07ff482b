import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { signInWithKey } from '../support/browsing.ts'
import { createKey } from '../support/client.ts'
import { openDashboard, openPage } from '../support/dashboard.ts'
import { addTestMember, createNotifier, listed, saveReport, setDue } from '../support/notifying.ts'

const DIGEST = {
  name: 'Morning',
  'rule.type': 'digest',
  'rule:digest.every': 'daily',
  'rule:digest.hour': '9',
  'rule:digest.time_zone': 'Europe/Berlin',
}

function toMember(telegramId: number) {
  return { 'target.type': 'member', 'target:member.telegram_id': String(telegramId) }
}

function toWebhook(address: string) {
  return { 'target.type': 'webhook', 'target:webhook.url': address }
}

it('notifications are added, switched off, snoozed and deleted on their page', async () => {
  const application = await openDashboard()
  const { browser, home } = application
  const page = `${home}/notifications`
  const telegramId = await addTestMember(application)
  await saveReport(application, 'Users', '')
  expect((await openPage(browser, page)).text).toContain('No notifications yet.')
  const added = await browser.send(page, { ...DIGEST, ...toMember(telegramId), 'rule:digest.questions': 'Users' })
  expect([added.status, added.headers.get('location')]).toEqual([303, page])
  const alert = {
    name: 'Many',
    'rule.type': 'above',
    'rule:above.question': 'Users',
    'rule:above.value': '2.5',
    // A browser also sends the fields of the variants that are not chosen.
    'rule:below.value': '7',
    'rule:silent.minutes': '',
    ...toMember(telegramId),
  }
  expect((await browser.send(page, alert)).status).toBe(303)
  const [digest, many] = await listed(application)
  expect(digest.rule).toEqual({
    type: 'digest',
    every: 'daily',
    hour: 9,
    time_zone: 'Europe/Berlin',
    questions: ['Users'],
  })
  expect(many.rule).toEqual({ type: 'above', question: 'Users', value: 2.5 })
  const { text } = await openPage(browser, page)
  expect(text).toContain('Every day at 09:00 Europe/Berlin, with Users')
  expect(text).toContain('Users is above 2.5')
  const act = async (action: string) => {
    expect((await browser.send(`${page}/${digest.id}/change`, { action })).status).toBe(303)
    return (await listed(application))[0]
  }
  expect(await act('off')).toMatchObject({ is_on: false })
  expect(await act('on')).toMatchObject({ is_on: true })
  expect((await act('snooze')).snoozed_until).not.toBeNull()
  expect((await act('wake')).snoozed_until).toBeNull()
  const { next_at: due } = await act('send')
  expect(Math.abs(Date.parse(due) - Date.now())).toBeLessThan(60_000)
  expect((await browser.send(`${page}/${digest.id}/delete`, {})).status).toBe(303)
  expect(await listed(application)).toHaveLength(1)
})

it('a refused form keeps its input and shows the fault', async () => {
  const { browser, home } = await openDashboard()
  const sent = await browser.send(`${home}/notifications`, {
    ...DIGEST,
    name: 'Mine',
    ...toWebhook('https://10.0.0.1/'),
  })
  const text = await sent.text()
  expect(sent.status).toBe(422)
  expect(text).toContain('It should be an address of the public internet')
  expect(text).toContain('value="https://10.0.0.1/"')
  expect(text).toContain('value="Mine"')
})

it('a number that is too small is refused at its field, in the words of the form', async () => {
  const { browser, home } = await openDashboard()
  const sent = await browser.send(`${home}/notifications`, {
    name: 'Falls',
    'rule.type': 'changes_by',
    'rule:changes_by.question': 'Users',
    'rule:changes_by.percent': '0.5',
    'target.type': 'chat',
  })
  const text = await sent.text()
  const faultAt = (id: string) => new RegExp(`id="alert-${id}-faults">([^<]*)<`).exec(text)?.[1]
  expect(sent.status).toBe(422)
  expect(faultAt('rule:changes_by.percent')).toBe('Enter a percentage of 1 or more')
  expect(faultAt('target:chat.chat_id')).toBe('Fill this in')
  expect(text).toContain('value="0.5"')
})

it('the secret of a webhook is shown once, and its address only to owners', async () => {
  const application = await openDashboard()
  const { browser, home } = application
  const address = 'https://93.184.215.14/services/T0K3N'
  const secretIn = async (page: Promise<Response>) => /whsec_[A-Za-z0-9+/=]{44}/.exec(await (await page).text())?.[0]
  const first = await secretIn(browser.send(`${home}/notifications`, { ...DIGEST, ...toWebhook(address) }))
  expect(first).toBeDefined()
  const again = (await openPage(browser, `${home}/notifications`)).text
  expect(again).not.toContain('whsec_')
  expect(again).toContain('T0K3N')
  const [{ id }] = (await listed(application)) as [{ id: string }]
  const second = await secretIn(browser.send(`${home}/notifications/${id}/secret`, {}))
  expect([second === undefined, second === first]).toEqual([false, false])
  expect((await openPage(browser, `${home}/notifications`)).text).not.toContain('whsec_')
  const viewer = await signInWithKey(await createKey(application.accountId, 'read', application.applicationId))
  const { text } = await openPage(viewer, `${home}/notifications`)
  expect(text).toContain('93.184.215.14')
  expect(text).not.toContain('T0K3N')
  expect(text).not.toContain('Add a digest')
  expect(text).not.toContain('Rotate secret')
  for (const path of ['', `/${id}/secret`]) {
    expect((await viewer.send(`${home}/notifications${path}`, DIGEST)).status).toBe(403)
  }
})

it('shows what would have been sent where there is no bot', async () => {
  const application = await openDashboard([{ event_type: 'Order', telegram_id: 5, datetime: Date.now() - 86_400_000 }])
  const { browser, home } = application
  const telegramId = await addTestMember(application)
  await browser.send(`${home}/notifications`, { ...DIGEST, ...toMember(telegramId) })
  const [{ id }] = (await listed(application)) as [{ id: string }]
  await env.DB.prepare('update subscriptions set next_at = null where id <> ?').bind(id).run()
  await setDue(id, Date.now())
  await createNotifier({ token: null }).run(Date.now())
  const { text } = await openPage(browser, `${home}/notifications`)
  expect(text).toContain('Would have been sent')
  expect(text).toContain('Active users: 1, none the ')
})
