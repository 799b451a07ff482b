import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../support/chromium.ts'
import { launchHash, messengerScript, POSTED, receive } from '../support/messenger.ts'

describeInBrowser("the messenger's stand-in", (browser) => {
  let page: Page

  beforeAll(async () => {
    page = await browser().newPage()
    await page.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '<title>Lemon Shop</title>' }))
    await page.addInitScript(messengerScript({ startParam: 'summer' }))
    await page.goto(`https://shop.example/${launchHash()}`)
  })

  it('hands over who has opened the page', async () => {
    const parts = ['user.id', 'start_param', 'chat_type'].map((path) => `Telegram.WebApp.initDataUnsafe.${path}`)
    expect(await page.evaluate(`[${parts}]`)).toEqual([7_234_567_890, 'summer', 'sender'])
    expect(await page.evaluate('new URLSearchParams(Telegram.WebApp.initData).get("user")')).toContain('Лимон')
  })

  it('passes on only the answers that were asked for', async () => {
    await page.evaluate(`
      told = []
      for (const type of ['invoiceClosed', 'popupClosed']) Telegram.WebApp.onEvent(type, (data) => told.push(data))
      Telegram.WebApp.openInvoice('https://t.me/$lemons', (status) => told.push(status))`)
    expect(await page.evaluate(POSTED)).toContainEqual(['web_app_open_invoice', { slug: 'lemons' }])

    await page.evaluate(receive('popup_closed', { button_id: 'ok' }))
    for (const status of ['paid', 'failed']) await page.evaluate(receive('invoice_closed', { slug: 'lemons', status }))
    expect(await page.evaluate('told')).toEqual(['paid', { url: 'https://t.me/$lemons', status: 'paid' }])
  })
})
