import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { signInWithKey } from '../support/browsing.ts'
import { createKey, getJson } from '../support/client.ts'
import { openDashboard } from '../support/dashboard.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { settle } from '../support/objects.ts'

const PERSON = 7_234_567_890
const REPROACH = 'Type the handle to confirm. Nothing was changed or deleted'

async function createVisited() {
  const visited = await openDashboard([{ event_type: 'Visit', telegram_id: PERSON, datetime: Date.now() - 5_000 }])
  const { accountId, applicationId, browser: owner } = visited
  await settle(applicationId)
  return { ...visited, owner, viewer: await signInWithKey(await createKey(accountId, 'read', applicationId)) }
}

it('an owner erases a user by typing their id, and nobody else does', async () => {
  const { home, owner, viewer, key } = await createVisited()
  const address = `${home}/users/${PERSON}`
  expect(await (await owner.open(address)).text()).toContain(`Type <bdi>${PERSON}</bdi> to confirm`)
  expect(await (await viewer.open(address)).text()).not.toContain('Erase')
  expect((await viewer.send(`${address}/erase`, { confirm: String(PERSON) })).status).toBe(403)
  const refused = await owner.send(`${address}/erase`, { confirm: '5', block: 'true' })
  expect(refused.status).toBe(422)
  const page = await refused.text()
  expect(page).toContain('id="confirm-faults"')
  expect(page).toContain('value="5"')
  expect((await getJson(`/users/${PERSON}`, key)).status).toBe(200)
  const erased = await owner.send(`${address}/erase`, { confirm: ` ${PERSON} `, block: 'true' })
  expect(erased.status).toBe(200)
  expect(await erased.text()).toContain('Future events of this user are blocked')
  expect((await getJson(`/users/${PERSON}`, key)).status).toBe(404)
  expect(await (await owner.open(address)).text()).toContain('no event has arrived, or the user was erased')
})

it('an owner deletes an application by typing its handle, and nobody else does', async () => {
  const { home, owner, viewer, key, handle } = await createVisited()
  const settings = `${home}/settings`
  expect(await (await owner.open(`${settings}/general`)).text()).toContain('id="deletion"')
  expect(await (await viewer.open(`${settings}/general`)).text()).not.toContain('id="deletion"')
  expect((await viewer.send(`${settings}/deletion`, { confirm: handle })).status).toBe(403)
  const refused = await owner.send(`${settings}/deletion`, { confirm: 'yes' })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain(`id="confirm-faults">${REPROACH}`)
  expect((await getJson(`/applications/${handle}`, key)).status).toBe(200)
  const deleted = await owner.send(`${settings}/deletion`, { confirm: `@${handle}` })
  expect([deleted.status, deleted.headers.get('location')]).toEqual([303, '/dashboard'])
  expect((await owner.open(settings)).status).toBe(404)
})

it('an owner who shortens how long events are kept types the handle, because that deletes some; nobody else can change it', async () => {
  const { home, owner, viewer, key, handle, applicationId } = await createVisited()
  const [settings, keeping] = [`${home}/settings/data`, `${home}/settings/keeping`]
  const kept = async () => (await (await getJson(`/applications/${handle}`, key)).json<{ data: object }>()).data
  expect(await (await viewer.open(settings)).text()).not.toContain(keeping)
  expect((await viewer.send(keeping, { keep_months: '6', confirm: handle })).status).toBe(403)
  const asked = await owner.send(keeping, { keep_months: '6' })
  expect(asked.status).toBe(422)
  const question = await asked.text()
  expect(question).toMatch(/deletes every event before <strong>\d+ \w+ \d{4}<\/strong> within a day/)
  expect(question).not.toContain(REPROACH)
  const refused = await owner.send(keeping, { keep_months: '6', confirm: 'yes' })
  expect([refused.status, (await refused.text()).includes(REPROACH)]).toEqual([422, true])
  expect(await kept()).toMatchObject({ keep_months: null, data_since: null })
  const saved = async (form: Record<string, string>) => {
    const answer = await owner.send(keeping, form)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${settings}?done=keeping#keeping`])
  }
  await saved({ keep_months: '6', confirm: `@${handle.toUpperCase()}` })
  expect(await kept()).toMatchObject({ keep_months: 6 })
  await saved({ keep_months: '12' })
  await env.DB.prepare('update applications set kept_from = 20000 where id = ?').bind(applicationId).run()
  expect(await (await owner.open(settings)).text()).toContain(
    'before 4 Oct 2024 have been deleted. Figures are complete since 3 Nov 2024',
  )
  await saved({ keep_months: '' })
  expect(await kept()).toMatchObject({ keep_months: null, data_since: '2024-11-03' })
  const wrong = await owner.send(keeping, { keep_months: '1' })
  expect([wrong.status, (await wrong.text()).includes('id="keep_months-faults"')]).toEqual([422, true])
})

it('pages say since when there is data, and compare with no time that is not kept', async () => {
  const { home, owner, applicationId } = await createVisited()
  const today = Math.floor(Date.now() / 86_400_000)
  const visits = [70, 40].map((days) => {
    return { event_type: 'Visit', telegram_id: PERSON, datetime: Date.now() - days * 86_400_000 }
  })
  await deliver(messagesOf(applicationId, visits))
  await settle(applicationId)
  /** Questions know everything from the day on that this one is 30 days before. */
  const keepFrom = (day: number) =>
    env.DB.prepare('update applications set kept_from = ? where id = ?').bind(day, applicationId).run()
  const textOf = async (question: string) => (await owner.open(home + question)).text()
  const [compared, told] = ['vs previous 30 days', 'Data since']
  const grouped = 'group_by=country&period=30d'
  for (const question of ['', `/events?event=Visit&${grouped}`, `/funnels?events=Visit&events=Visit&${grouped}`]) {
    await keepFrom(today - 59 - 30)
    expect(await textOf(question)).toContain(compared)
    await keepFrom(today - 29 - 30)
    const uncompared = await textOf(question)
    expect([uncompared.includes(compared), uncompared.includes(told)]).toEqual([false, false])
    await keepFrom(today - 28 - 30)
    expect(await textOf(question)).toContain(told)
  }
  await keepFrom(Date.UTC(2025, 2, 10) / 86_400_000 - 30)
  const weeks = '/retention?start=20250312&end=20250320&interval=week'
  expect(await textOf(weeks)).not.toContain(told)
  expect(await textOf(weeks.replace('week', 'month'))).toContain(told)
})

it('the page of a user says that what they did is not kept', async () => {
  const { home, owner, applicationId } = await createVisited()
  const today = Math.floor(Date.now() / 86_400_000)
  await env.DB.prepare('update applications set kept_from = ? where id = ?').bind(today, applicationId).run()
  await env.DB.prepare('update users set first_active_at = 0 where application_id = ?').bind(applicationId).run()
  expect(await (await owner.open(`${home}/users/${PERSON}`)).text()).toMatch(
    /Events before \d+ \w+ \d{4} have been deleted/,
  )
})
