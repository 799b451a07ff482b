import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { bundle } from '../support/bundle.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { ANYWHERE, configuration } from '../support/client-service.ts'
import { messengerScript } from '../support/messenger.ts'

const SHOP = `
  import { Activity, StrictMode, useEffect } from 'react'
  import { createRoot } from 'react-dom/client'
  import { MauveProvider, useTrack } from './src/client/react.tsx'

  function Shop() {
    const track = useTrack()
    window.trackLater = track
    useEffect(() => track('Shop shown'), [track])
    return <button onClick={() => track('Purchase', { amount: 250 })}>Buy</button>
  }

  const root = createRoot(document.body)
  window.show = (project, mode = 'visible', user) => root.render(
    <StrictMode>
      <Activity mode={mode}>
        <MauveProvider options={{ host: 'https://mauve.test', key: 'k', project, user }}><Shop /></MauveProvider>
      </Activity>
    </StrictMode>,
  )
  window.leave = () => root.render(null)`

const CONFIGURATION = configuration({ auto_capture: true, auto_capture_tags: ['button'] }).json

describeInBrowser('the provider for React', (browser) => {
  let page: Page
  const configurations: string[] = []
  const events: string[] = []
  /** The service takes events and answers then. */
  let answering = Promise.resolve()

  beforeAll(async () => {
    page = await browser().newPage()
    await page.addInitScript(messengerScript())
    await page.route('https://shop.test/', (route) => route.fulfill({ contentType: 'text/html', body: '<body>' }))
    await page.route('https://mauve.test/**', async (route) => {
      const request = route.request()
      const isAsked = request.method() === 'GET'
      if (request.method() === 'POST') {
        const sent: { event_type: string }[] = request.postDataJSON().events
        events.push(...sent.map(({ event_type }) => `${request.headers()['x-project-id']}: ${event_type}`))
        await answering
      }
      await route.fulfill({ json: isAsked ? CONFIGURATION : { accepted: 1 }, headers: ANYWHERE })
      // Once it has arrived: a client that goes before that sends nothing that it captured by itself.
      if (isAsked) configurations.push(request.headers()['x-project-id'] ?? '')
    })
    await page.goto('https://shop.test/')
    const content = await bundle({
      stdin: { contents: SHOP, loader: 'tsx', resolveDir: join(import.meta.dirname, '..', '..') },
      // Of React's two builds the one in which StrictMode runs effects twice.
      define: { 'process.env.NODE_ENV': '"development"' },
      jsx: 'automatic',
      jsxImportSource: 'react',
    })
    await page.addScriptTag({ content })
  })

  afterEach(async () => {
    await page.evaluate('leave()')
    for (const written of [configurations, events]) written.length = 0
  })

  const count = (name: string) => events.filter((event) => event === name).length
  const arrived = (name: string, times = 1) => expect.poll(() => count(name)).toBe(times)

  it('starts one client in StrictMode and a new one when options change, and sends queued events on unmount', async () => {
    await page.evaluate('show("lemons")')
    await page.getByRole('button').click()
    await expect.poll(() => configurations).toEqual(['lemons'])
    await page.evaluate('show("limes")')
    await expect.poll(() => configurations).toEqual(['lemons', 'limes'])
    await page.getByRole('button').click()
    await page.evaluate('leave()')
    await arrived('limes: Purchase')
    expect(['lemons', 'limes'].map((project) => count(`${project}: Session start`))).toEqual([1, 1])
    expect(['lemons', 'limes'].map((project) => count(`${project}: Purchase`))).toEqual([1, 1])
    expect(['lemons', 'limes'].map((project) => count(`${project}: [TS] Click | Buy`))).toEqual([1, 1])
    expect(configurations).toEqual(['lemons', 'limes'])
  })

  it('an unmounted provider still sends what is tracked late, but captures nothing next to its successor', async () => {
    await page.evaluate('show("pears")')
    await expect.poll(() => configurations).toEqual(['pears'])
    await page.evaluate('late = trackLater; show("plums")')
    await expect.poll(() => configurations).toEqual(['pears', 'plums'])
    await arrived('pears: Shop shown', 2)
    await page.evaluate('late("Paid")')
    await page.getByRole('button').click()
    // Leaving the page sends queued events.
    await page.evaluate('dispatchEvent(new Event("pagehide"))')
    await arrived('plums: [TS] Click | Buy')
    await arrived('pears: Paid')
    expect(count('pears: [TS] Click | Buy')).toBe(0)
    expect(configurations).toEqual(['pears', 'plums'])
  })

  it('renders for a user whose id cannot be written as JSON', async () => {
    await page.evaluate('show("quinces", "visible", { id: 1n })')
    await page.getByRole('button').click()
    await page.evaluate('leave()')
    await arrived('quinces: Purchase')
  })

  it('a provider that was hidden captures again once it is shown, also while the last events are on their way', async () => {
    let answer = () => {}
    answering = new Promise((resolve) => {
      answer = resolve
    })
    await page.evaluate('show("figs")')
    await expect.poll(() => configurations).toEqual(['figs'])
    await page.evaluate('show("figs", "hidden")')
    await arrived('figs: Shop shown', 2)
    await page.evaluate('show("figs")')
    await expect.poll(() => configurations).toEqual(['figs', 'figs'])
    answer()
    await page.getByRole('button').click()
    await page.evaluate('leave()')
    await arrived('figs: [TS] Click | Buy')
  })
})
