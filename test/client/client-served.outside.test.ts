import type { Browser } from 'playwright-core'
import { expect, it } from 'vitest'
import { baseUrl, get, newUser, owned } from '../conformance/client.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { LEA, thirdPartyInitData } from '../support/init-data.ts'
import { messengerScript } from '../support/messenger.ts'
import { registerServed } from '../support/served-application.ts'

const SHOP = 'https://shop.example/'
const BOT = 7_342_037_359
/** No more than docs/clients.md says. */
const POLICY = `default-src 'none'; script-src ${baseUrl}; connect-src ${baseUrl}`

/** Skips what needs init data signed with the key of these tests, which other services reject. */
const describeOwned = owned ? describeInBrowser : () => it.skip('needs a service that believes the key of tests')

describeOwned('the script that the service serves', (browser: () => Browser) => {
  it('counts who was signed for, and keeps what comes with anything else until then', async () => {
    const { project, key } = await registerServed({ changes: { bot_id: BOT, verified_only: true } })
    const user = { ...LEA, id: newUser() }
    const initData = thirdPartyInitData({ botId: BOT, user, startParam: 'summer' })
    const context = await browser().newContext()
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
