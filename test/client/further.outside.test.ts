import { expect, it } from 'vitest'
import { DEFAULT_CAPTURE, FURTHER_MINI_APP_EVENTS } from '../../src/storage/capture-settings.ts'
import { type Captured, describeInShop } from '../support/captured-shop.ts'
import { receive } from '../support/messenger.ts'

type Mauve = Partial<(typeof DEFAULT_CAPTURE)['mauve']>

const further = (mauve: Mauve) => ({ mauve: { ...DEFAULT_CAPTURE.mauve, ...mauve } })

/** What the messenger says once each, and what is captured of it. */
const EVERYTHING: readonly (readonly [type: string, data: Record<string, unknown>, event: Captured])[] = [
  ['home_screen_added', {}, ['HomeScreenAdded', {}]],
  ['fullscreen_changed', { is_fullscreen: true }, ['FullscreenChanged', { is_fullscreen: true }]],
  ['fullscreen_failed', { error: 'UNSUPPORTED' }, ['FullscreenFailed', { error: 'UNSUPPORTED' }]],
  ['prepared_message_sent', {}, ['ShareMessageSent', {}]],
  ['prepared_message_failed', { error: 'USER_DECLINED' }, ['ShareMessageFailed', { error: 'USER_DECLINED' }]],
  ['emoji_status_set', {}, ['EmojiStatusSet', {}]],
  ['emoji_status_failed', { error: 'DURATION_INVALID' }, ['EmojiStatusFailed', { error: 'DURATION_INVALID' }]],
  ['back_button_pressed', {}, ['BackButtonPressed', {}]],
  ['secondary_button_pressed', {}, ['SecondaryButtonPressed', {}]],
  ['file_download_requested', { status: 'downloading' }, ['FileDownloadRequested', { status: 'downloading' }]],
  ['requested_chat_sent', {}, ['ChatRequested', { status: 'sent' }]],
  ['requested_chat_failed', { error: 'CANCELLED' }, ['ChatRequested', { status: 'failed', error: 'CANCELLED' }]],
  ['location_requested', { latitude: 48.137, longitude: 11.575 }, ['LocationRequested', { status: 'allowed' }]],
  ['location_requested', {}, ['LocationRequested', { status: 'cancelled' }]],
]

describeInShop('what only some applications capture', (shop) => {
  const script = 'Telegram.WebApp.BackButton.show(); Telegram.WebApp.SecondaryButton.show()'

  async function doEverything(): Promise<Captured[]> {
    await shop().captured()
    for (const [type, data] of EVERYTHING) await shop().page.evaluate(receive(type, data))
    return shop().captured()
  }

  const loads = () => shop().page.evaluate<number>('loads')

  it('each event is captured if its setting is on, alone', async () => {
    for (const name of FURTHER_MINI_APP_EVENTS) {
      await shop().open({ settings: further({ mini_app_events: [name] }), script })
      const expected = EVERYTHING.filter(([, , [captured]]) => captured === name).map(([, , event]) => event)
      expect(expected.length, name).toBeGreaterThan(0)
      const all = await doEverything()
      expect(all, name).toEqual(expected)
      expect(JSON.stringify(all)).not.toMatch(/48\.137|11\.575/)
    }
    await shop().page.evaluate('stop()')
    expect(await doEverything()).toEqual([])
  })

  it('nothing is captured or loaded if all settings are off, or automatic capture is', async () => {
    const leave = `dispatchEvent(new ErrorEvent('error', { message: 'no' })); dispatchEvent(new PageTransitionEvent('pagehide'))`
    const all = { mini_app_events: [...FURTHER_MINI_APP_EVENTS], foreground_time: true, errors: true }
    for (const settings of [{}, further({ telegram_events: ['other'] }), { ...further(all), auto_capture: false }]) {
      await shop().open({ settings, script })
      expect(await doEverything()).toEqual([])
      await shop().page.evaluate(leave)
      expect(await shop().captured()).toEqual([])
      expect(await loads()).toBe(0)
    }
    await shop().open({ settings: further({ errors: true }), script })
    expect(await loads()).toBe(1)
  })

  it('a session has one end, with the seconds in the foreground', async () => {
    const session = (startedAgo: number) => `
      let now = ${Date.now()}
      Date.now = () => now
      pass = (seconds) => { now += seconds * 1000; localStorage.setItem('own:session', (now - ${startedAgo} * 1000) + ' ' + now / 1000) }
      localStorage.clear(); pass(0)`
    await shop().open({ settings: further({ foreground_time: true }), script: session(0) })
    await shop().captured()
    const start = await shop().page.evaluate<number>(`now`)
    await shop().page.evaluate(`now += 42400`)
    await shop().page.evaluate(receive('visibility_changed', { is_visible: false }))
    expect(await shop().captured()).toEqual([['Session end', { seconds: 42 }]])
    await shop().page.evaluate(receive('visibility_changed', { is_visible: true }))
    await shop().page.evaluate(`now += 5000; dispatchEvent(new PageTransitionEvent('pagehide'))`)
    expect(await shop().captured()).toEqual([])

    // The next session begins while the page is in the foreground.
    await shop().page.evaluate(
      `dispatchEvent(new PageTransitionEvent('pageshow')); now += 4_000_000; pass(0); now += 7000`,
    )
    await shop().page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide'))`)
    expect(await shop().captured()).toEqual([['Session end', { seconds: 7 }]])
    expect(await shop().page.evaluate<number>('now')).toBeGreaterThan(start)

    // A session that is over by idleness has none.
    await shop().page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow')); now += 4_000_000`)
    await shop().page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide'))`)
    expect(await shop().captured()).toEqual([])
  })

  it('uncaught errors have message, file and line, and at most ten of a session are captured', async () => {
    await shop().open({
      settings: further({ errors: true }),
      script: `localStorage.clear(); localStorage.setItem('own:session', Date.now() + ' ' + Date.now() / 1000)`,
    })
    await shop().captured()
    const fail = (given: object) => `dispatchEvent(new ErrorEvent('error', ${JSON.stringify(given)}))`
    await shop().page.evaluate(
      fail({ message: `${'x'.repeat(300)}`, filename: 'https://shop.example/a.js?token=1#b', lineno: 7 }),
    )
    await shop().page.evaluate(
      `dispatchEvent(new PromiseRejectionEvent('unhandledrejection', { promise: Promise.resolve(), reason: new Error('no lemons') }))`,
    )
    // Images that cannot be loaded are no errors of the page.
    await shop().page.evaluate(`dispatchEvent(new Event('error'))`)
    expect(await shop().captured()).toEqual([
      ['Error', { message: 'x'.repeat(255), file: 'https://shop.example/a.js', line: 7 }],
      ['Error', { message: 'no lemons' }],
    ])
    for (let count = 0; count < 20; count++) await shop().page.evaluate(fail({ message: `${count}` }))
    expect(await shop().names()).toHaveLength(8)
  })
})
