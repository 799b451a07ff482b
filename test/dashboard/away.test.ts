import { expect, it } from 'vitest'
import { createPlainApplication } from '../support/applications.ts'
import { Browser, signInAsOwner } from '../support/browsing.ts'
import { createKey, getJson } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { settle } from '../support/objects.ts'

const PERSON = 7_234_567_890

async function createVisited() {
  const application = await createPlainApplication()
  const { applicationId, accountId, handle } = application
  const visit = { event_type: 'Visit', telegram_id: PERSON, datetime: Date.now() - 5_000 }
  await deliver(messagesOf(applicationId, [visit]))
  await settle(applicationId)
  const viewer = new Browser()
  await viewer.send('/sign-in', { key: await createKey(accountId, 'read', applicationId) })
  return { ...application, home: `/dashboard/${handle}`, owner: await signInAsOwner(accountId), viewer }
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
  expect(await erased.text()).toContain('not kept either')
  expect((await getJson(`/users/${PERSON}`, key)).status).toBe(404)
})

it('an owner deletes an application by typing its handle, and nobody else does', async () => {
  const { home, owner, viewer, key, handle } = await createVisited()
  const settings = `${home}/settings`
  expect(await (await owner.open(settings)).text()).toContain('id="deletion"')
  expect(await (await viewer.open(settings)).text()).not.toContain('deletion')
  expect((await viewer.send(`${settings}/deletion`, { confirm: handle })).status).toBe(403)
  const refused = await owner.send(`${settings}/deletion`, { confirm: 'yes' })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('id="confirm-faults"')
  expect((await getJson(`/applications/${handle}`, key)).status).toBe(200)
  const deleted = await owner.send(`${settings}/deletion`, { confirm: `@${handle}` })
  expect([deleted.status, deleted.headers.get('location')]).toEqual([303, '/dashboard'])
  expect((await owner.open(settings)).status).toBe(404)
})
