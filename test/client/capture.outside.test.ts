import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_CAPTURE, MINI_APP_EVENTS } from '../../src/storage/capture-settings.ts'
import { type Captured, type CapturedShop, describeInShop, type Settings } from '../support/captured-shop.ts'
import { launchHash, receive } from '../support/messenger.ts'

describeInShop('automatic capture', (shop) => {
  let page: Page

  beforeAll(() => {
    page = shop().page
  })

  const open: CapturedShop['open'] = (visit) => shop().open(visit)
  const captured = () => shop().captured()
  const names = () => shop().names()

  describe('clicks', () => {
    /** What is captured of a click on the element with the id `here`. */
    async function click(body: string, settings: Settings = {}): Promise<Captured[]> {
      await open({ body, settings })
      await captured()
      await page.click('#here')
      return captured()
    }

    it('are those on the tags and the classes of the settings, the closest one upwards', async () => {
      const body = '<div class="card buy"><button id="outer"><b id="here">Buy</b></button></div>'
      const [byTag] = await click(body)
      expect(byTag).toEqual(['[TS] Click | Buy', { tag: 'button', text: 'Buy', id: 'outer' }])
      const [byClass] = await click(body, { auto_capture_tags: [], auto_capture_classes: ['buy'] })
      expect(byClass).toEqual(['[TS] Click | Buy', { tag: 'div', text: 'Buy', class: 'card buy' }])
      expect(await click(body, { auto_capture_tags: ['B'] })).toEqual([
        ['[TS] Click | Buy', { tag: 'b', text: 'Buy', id: 'here' }],
      ])
      expect(await click(body, { auto_capture_tags: ['a'], auto_capture_classes: ['bu'] })).toEqual([])
      expect(await click(body, { auto_capture: false })).toEqual([])
    })

    it('have what the page says about the element, cut to size', async () => {
      const href = `/lemons?a=1#tgWebAppData=user%3D7234567890`
      const body = `<a id="here" class="x" href="${href}" title="All &#127819;" name="n" onclick="return false">  Лимоны\n <i>🍋</i> ${'x'.repeat(40)}${'🍋'.repeat(9)}</a>`
      // 50 characters, of which an emoji is one.
      const text = `Лимоны 🍋 ${'x'.repeat(40)}🍋`
      expect(await click(body)).toEqual([
        [
          `[TS] Click | ${text}`,
          { tag: 'a', text, id: 'here', class: 'x', href: '/lemons?a=1', title: 'All 🍋', name: 'n' },
        ],
      ])
      const long = await click(`<button id="here" title="${'t'.repeat(1000)}">Buy</button>`)
      expect(long[0]?.[1]?.title).toBe('t'.repeat(255))
      expect(await click('<button id="here" aria-label="Close"><svg width=9 height=9></svg></button>')).toMatchObject([
        ['[TS] Click | Close', { text: 'Close' }],
      ])
      expect(await click('<button id="here" style="width:9px;height:9px"></button>')).toMatchObject([
        ['[TS] Click | button', { text: '' }],
      ])
    })

    it('are found in a shadow root, and where the page stops the event', async () => {
      await open({ body: '<div id="host"></div><button id="still" onclick="event.stopPropagation()">Still</button>' })
      await page.evaluate('host.attachShadow({ mode: "open" }).innerHTML = "<button><b id=here>Inside</b></button>"')
      await captured()
      await page.click('#here')
      await page.click('#still')
      expect(await names()).toEqual(['[TS] Click | Inside', '[TS] Click | Still'])
    })

    it('are one event each, also of a label with its field', async () => {
      const tags = { auto_capture_tags: ['label', 'input'] }
      const label = await click('<label><span id="here">Agree</span><input type="checkbox" name="terms"></label>', tags)
      expect(label.map(([name]) => name)).toEqual(['[TS] Click | Agree'])
      await page.click('input')
      expect(await captured()).toEqual([
        ['[TS] Click | input', { tag: 'input', text: '', type: 'checkbox', name: 'terms' }],
      ])
    })

    it('never contain what a person has typed', async () => {
      const fields = `<form class="form"><p id="here">Order</p><input id="text"><input id="password" type="password" value="">
        <textarea id="area"></textarea><div id="edited" contenteditable><button type="button" id="within">Within</button></div></form>`
      await open({
        body: fields,
        settings: { auto_capture_tags: ['input', 'textarea', 'div', 'button'], auto_capture_classes: ['form'] },
      })
      for (const id of ['text', 'password', 'area', 'edited']) {
        await page.click(`#${id}`)
        await page.keyboard.type('secret')
        // As frameworks do that keep a field's state.
        await page.evaluate(`${id}.setAttribute('value', 'secret')`)
        await page.evaluate(`if (${id}.tagName === 'TEXTAREA') ${id}.textContent = 'secret'`)
        await page.click(`#${id}`)
      }
      for (const id of ['here', 'within']) await page.click(`#${id}`)
      const told = await captured()
      expect(told.map(([name]) => name)).toContain('[TS] Click | form')
      expect(told.length).toBeGreaterThan(9)
      expect(JSON.stringify(told)).not.toContain('secret')

      const submit = await click('<input id="here" type="submit" value="Order now">', { auto_capture_tags: ['input'] })
      expect(submit).toMatchObject([['[TS] Click | Order now', { type: 'submit' }]])
    })
  })

  describe('page views', () => {
    it('come with the start, and wherever the path changes', async () => {
      await open({ path: '/lemons?query=1#place' })
      expect(await captured()).toEqual([['Pageview /lemons', { path: '/lemons' }]])
      await page.evaluate(`history.pushState({}, '', '/cart?x=1')`)
      await page.evaluate(`history.replaceState({}, '', '/cart?x=2')`)
      await page.evaluate(`history.replaceState({}, '', '/лимоны')`)
      await page.evaluate(`location.hash = '#elsewhere'`)
      expect(await names()).toEqual(['Pageview /cart', 'Pageview /лимоны'])
      await page.goBack()
      await page.goBack()
      await expect.poll(names).toEqual(['Pageview /lemons'])
      await open({ settings: { auto_capture: false } })
      expect(await captured()).toEqual([])
      await open({ path: '/100%' })
      expect(await names()).toEqual(['Pageview /100%'])
    })

    it('have the path of a hash router, and never what the messenger adds to the address', async () => {
      await open({ path: `/app${launchHash()}` })
      // One of the routers puts a slash before whatever it finds.
      await page.evaluate(`location.hash = location.hash.replace('#', '#/')`)
      await page.evaluate(`location.hash = '#/'`)
      await page.evaluate(`location.hash = '#/cart?tgWebAppData=1'`)
      await page.evaluate(`location.hash = '#!/cart/2'`)
      await page.evaluate(`location.hash = '#/cart/2&tgWebAppData=1'`)
      await expect.poll(() => page.evaluate('captured.length')).toBe(3)
      expect(await captured()).toEqual([
        ['Pageview /app', { path: '/app' }],
        ['Pageview /app#/cart', { path: '/app#/cart' }],
        ['Pageview /app#/cart/2', { path: '/app#/cart/2' }],
      ])
    })

    it('are not repeated if capturing restarts, and end with it', async () => {
      await open({ path: '/lemons', body: '<button>Buy</button>' })
      await page.evaluate('stop(); start()')
      expect(await names()).toEqual(['Pageview /lemons'])
      await page.evaluate(`history.pushState({}, '', '/cart')`)
      await page.click('button')
      expect(await names()).toEqual(['Pageview /cart', '[TS] Click | Buy'])
      await page.evaluate('stop()')
      await page.evaluate(`history.pushState({}, '', '/end')`)
      await page.click('button')
      expect(await captured()).toEqual([])
      await page.evaluate('start()')
      expect(await names()).toEqual(['Pageview /end'])
    })
  })

  describe('events of the mini-app', () => {
    const invoice = 'https://t.me/$lemons'
    /** Everything that a page and a person do with the messenger. */
    const EVERYTHING = `
      called = []
      app = Telegram.WebApp
      app.MainButton.show()
      app.SettingsButton.show()
      app.openInvoice('${invoice}', (status) => called.push(status))
      app.showPopup({ message: 'Sure?' }, (id) => called.push(id))
      app.showScanQrPopup({}, () => true)
      app.readTextFromClipboard()
      ${receive('main_button_pressed')}
      ${receive('settings_button_pressed')}
      ${receive('invoice_closed', { slug: 'lemons', status: 'paid' })}
      ${receive('popup_closed', { button_id: 'yes' })}
      ${receive('qr_text_received', { data: 'secret' })}
      ${receive('clipboard_text_received', { req_id: '1', data: 'secret' })}
      app.requestWriteAccess((isAllowed) => called.push(isAllowed))
      ${receive('write_access_requested', { status: 'allowed' })}
      app.requestWriteAccess((isAllowed) => called.push(isAllowed))
      ${receive('write_access_requested', { status: 'cancelled' })}
      app.requestContact((isSent) => called.push(isSent))
      ${receive('phone_requested', { status: 'sent', response: { contact: { phone_number: 'secret' } } })}
      app.requestContact((isSent) => called.push(isSent))
      ${receive('phone_requested', { status: 'cancelled' })}
      called`

    /** Returns what was captured of it. */
    async function doEverything(): Promise<Captured[]> {
      await captured()
      expect(await page.evaluate(EVERYTHING)).toEqual(['paid', 'yes', true, false, true, false])
      return captured()
    }

    const opened: Captured = ['Invoice opened: $lemons', { url: invoice, slug: '$lemons' }]
    const EXPECTED: Record<(typeof MINI_APP_EVENTS)[number], Captured[]> = {
      MainButtonPressed: [['MainButtonPressed', {}]],
      SettingsButtonPressed: [['SettingsButtonPressed', {}]],
      InvoiceClosed: [['InvoiceClosed', { url: invoice, slug: 'lemons', status: 'paid' }]],
      PopupClosed: [['PopupClosed', { button_id: 'yes' }]],
      QRCodeScanned: [['QRTextReceived', {}]],
      ClipboardChanged: [['ClipboardTextReceived', {}]],
      WriteAccessGranted: [['WriteAccessGranted', { status: 'allowed' }]],
      WriteAccessRejected: [['WriteAccessRejected', { status: 'cancelled' }]],
      WriteAccessRequested: [
        ['WriteAccessRequested', {}],
        ['WriteAccessRequested', {}],
      ],
      ContactRequestAccepted: [['ContactRequestAccepted', { status: 'sent' }]],
      ContactRequestRejected: [['ContactRequestRejected', { status: 'cancelled' }]],
      ContactRequestSent: [
        ['ContactRequestSent', {}],
        ['ContactRequestSent', {}],
      ],
      WalletConnected: [],
    }

    it('are captured if the settings name them, each alone', async () => {
      await open({})
      expect(await doEverything()).toEqual([opened])
      for (const event of MINI_APP_EVENTS) {
        await page.evaluate(
          `stop(); start(${JSON.stringify({ ...DEFAULT_CAPTURE, auto_capture_mini_app_events: [event] })})`,
        )
        expect(await doEverything(), event).toEqual([opened, ...EXPECTED[event]])
      }
    })

    it('are all captured, but none without automatic capture or after the end', async () => {
      const settings = { auto_capture_mini_app_events: [...MINI_APP_EVENTS] }
      await open({ settings })
      const all = await doEverything()
      expect(all.toSorted()).toEqual([opened, ...Object.values(EXPECTED).flat()].toSorted())
      expect(JSON.stringify(all)).not.toContain('secret')

      await page.evaluate('stop()')
      expect(await doEverything()).toEqual([])
      await open({ settings: { ...settings, auto_capture: false } })
      expect(await doEverything()).toEqual([])
    })

    it('links are captured with clicks on links', async () => {
      const links = `
        Telegram.WebApp.openLink('https://shop.example/a?token=1', { try_instant_view: true })
        Telegram.WebApp.openTelegramLink('https://t.me/lemon_bot?start=friend')
        Telegram.WebApp.openLink('https://shop.example/b#tgWebAppData=user%3D1%26hash%3Dsecret')`
      await open({ settings: { auto_capture_tags: ['a'] } })
      await captured()
      await page.evaluate(links)
      expect(await captured()).toEqual([
        [
          'Link opened: https://shop.example/a',
          { url: 'https://shop.example/a?token=1', options: { try_instant_view: true } },
        ],
        ['Telegram link opened: https://t.me/lemon_bot', { url: 'https://t.me/lemon_bot?start=friend' }],
        ['Link opened: https://shop.example/b', { url: 'https://shop.example/b' }],
      ])
      await open({ settings: { auto_capture_tags: ['button'] } })
      await captured()
      await page.evaluate(links)
      expect(await captured()).toEqual([])
    })
  })

  describe('the page', () => {
    it('has all it had after the end, also where it has wrapped what was wrapped', async () => {
      const settings = { auto_capture_mini_app_events: [...MINI_APP_EVENTS] }
      await open({
        settings,
        script: 'before = [history.pushState, Telegram.WebApp.openInvoice, Telegram.WebApp.requestContact]',
      })
      await page.evaluate('stop()')
      const same =
        '[history.pushState, Telegram.WebApp.openInvoice, Telegram.WebApp.requestContact].every((f, i) => f === before[i])'
      expect(await page.evaluate(same)).toBe(true)

      await page.evaluate(`
        start()
        inner = history.pushState
        history.pushState = function (...given) { return inner.apply(this, given) }
        stop()
        history.pushState({}, '', '/wrapped')`)
      expect(await page.evaluate('location.pathname')).toBe('/wrapped')
      expect(await names()).not.toContain('Pageview /wrapped')
    })

    it('works where it is not in the messenger, or in an older one', async () => {
      await open({ messenger: false, body: '<button>Buy</button>' })
      await page.click('button')
      expect(await names()).toEqual(['Pageview /', '[TS] Click | Buy'])
      const settings = { auto_capture_mini_app_events: [...MINI_APP_EVENTS] }
      await open({
        settings,
        body: '<button>Buy</button>',
        script: 'for (const method of ["openInvoice", "requestContact", "openLink"]) delete Telegram.WebApp[method]',
      })
      await page.click('button')
      expect(await names()).toEqual(['Pageview /', '[TS] Click | Buy'])
      expect(await page.evaluate('Object.keys(Telegram.WebApp)')).not.toContain('openInvoice')
    })

    it('never sees an error of ours', async () => {
      await open({
        body: '<button onclick="clicked = true">Buy</button>',
        settings: { auto_capture_mini_app_events: ['MainButtonPressed'] },
      })
      const said: string[] = []
      page.on('console', (message) => said.push(message.text()))
      await page.evaluate(
        `stop(); capture = () => { throw new Error('of ours') }; start(); Telegram.WebApp.MainButton.show()`,
      )
      await page.click('button')
      await page.evaluate(`history.pushState({}, '', '/on')`)
      await page.evaluate(`Telegram.WebApp.openLink('https://shop.example/')`)
      await page.evaluate(receive('main_button_pressed'))
      expect(await page.evaluate('[clicked, location.pathname]')).toEqual([true, '/on'])
      expect(said.join()).toContain('of ours')
    })
  })
})
