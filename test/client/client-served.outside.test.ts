import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiKey, baseUrl, call, get, newHandle, newUser, owned, post, registrationOf } from '../conformance/client.ts'
import { describeWithChromium } from '../support/chromium.ts'
import { LEA, thirdPartyInitData } from '../support/init-data.ts'
import { messengerScript } from '../support/messenger.ts'

const SHOP = 'https://shop.example/'
const BOT = 7_342_037_359
/** The page is not of this machine, the service is. */
const ARGS = ['--no-sandbox', '--disable-features=LocalNetworkAccessChecks']
/** No more than docs/clients.md says. */
const POLICY = `default-src 'none'; script-src ${baseUrl}; connect-src ${baseUrl}`

async function createApplication() {
  const handle = newHandle().slice(1)
  const registered = await post('/applications/register', registrationOf(`@${handle}`))
  const { project_id: project } = (await registered.json()) as { project_id: string }
  const issued = await post('/keys', { name: 'Shop page', scope: 'client', handle })
  const { data } = (await issued.json()) as { data: { key: string } }
  const changed = await call(`/applications/${handle}`, {
    method: 'PATCH',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ bot_id: BOT, verified_only: true }),
  })
  expect(changed.status).toBe(200)
  return { project, key: data.key }
}

/** Nobody else's service believes the key of these tests. */
const describeOwned = owned ? describeWithChromium : () => it.skip('needs a service that believes the key of tests')

describeOwned('the script that the service serves', (executablePath: string) => {
  let browser: Browser
  let application: Awaited<ReturnType<typeof createApplication>>

  beforeAll(async () => {
    application = await createApplication()
    browser = await chromium.launch({ executablePath, args: ARGS })
  })
  afterAll(() => browser?.close())

  it('counts who was signed for, and keeps what comes with anything else until then', async () => {
    const { project, key } = application
    const user = { ...LEA, id: newUser() }
    const initData = thirdPartyInitData({ botId: BOT, user, startParam: 'summer' })
    const context = await browser.newContext()
    const said: string[] = []

    async function open(initData: string) {
      const page = await context.newPage()
      page.on('console', (message) => said.push(message.text()))
      page.on('pageerror', (error) => said.push(String(error)))
      await page.route(SHOP, (route) =>
        route.fulfill({
          contentType: 'text/html',
          headers: { 'content-security-policy': POLICY },
          body: `<!doctype html><script src="${baseUrl}/client.js" data-key="${key}" data-project="${project}" defer></script>`,
        }),
      )
      await page.addInitScript(messengerScript({ initData }))
      await page.goto(SHOP)
      await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.endsWith(':config')))
      return page
    }
    const track = (name: string) => `mauve.track(${JSON.stringify(name)}, { total: 250 }); mauve.flush()`
    const arrived = async () => {
      const { data } = (await (await get(`/events/latest?project=${project}`)).json()) as { data: { name: string }[] }
      return data.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    }

    const forged = await open(initData.replace('summer', 'winter'))
    await forged.evaluate(track('Заказ 🍋'))
    await expect.poll(() => said).toContainEqual(expect.stringContaining('is not signed by the messenger for the bot'))
    await forged.evaluate(track('Later'))
    expect(said.filter((text) => text.startsWith('mauve: '))).toHaveLength(1)
    await forged.close()
    expect(await arrived()).toEqual([])

    const page = await open(initData)
    await page.evaluate(track('Purchase'))
    const names = ['Later', 'Pageview /', 'Pageview /', 'Purchase', 'Session start', 'Заказ 🍋']
    await expect.poll(async () => (await arrived()).map(({ name }) => name)).toEqual(names)
    for (const event of await arrived()) {
      expect(event).toMatchObject({
        telegram_id: user.id,
        context: { verified: true, start_parameter: 'summer', language: 'de', device: 'ios' },
      })
    }
    expect((await arrived()).at(3)).toMatchObject({ params: { total: 250 } })
    await context.close()
  })
})
