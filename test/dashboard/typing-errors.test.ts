import { expect, it } from 'vitest'
import { openPage, visit } from '../support/dashboard.ts'

it('a misspelled event name leads to the name that was meant', async () => {
  const events = ['Order paid', 'Look'].map((event_type, place) => ({
    event_type,
    telegram_id: 1,
    datetime: Date.now() - 10_000 + place,
  }))
  const { browser, home } = await visit(events)
  for (const [typed, meant] of [
    ['retention?start_event=Order+payd', 'retention?start_event=Order+paid'],
    ['paths?event=order+paid', 'paths?event=Order+paid'],
    ['events?event=Order+pa', 'events?event=Order+paid'],
    ['funnels?events=Ordr+paid&amp;events=Look', 'funnels?events=Order+paid&amp;events=Look'],
    ['funnels?events=Look&amp;events=Ordr+paid', 'funnels?events=Look&amp;events=Order+paid'],
  ] as const) {
    const { text } = await openPage(browser, `${home}/${typed.replaceAll('&amp;', '&')}`)
    expect(text, typed).toContain(`Did you mean <a href="${home}/${meant}"><bdi>Order paid</bdi></a>?`)
  }
  const { text } = await openPage(browser, `${home}/paths?event=Something+else`)
  expect([text.includes('No event '), text.includes('Did you mean')]).toEqual([true, false])
})

it('a period with its days in reverse is put right', async () => {
  const { browser, home } = await visit([{ event_type: 'a', telegram_id: 1, datetime: Date.now() }])
  const reversed = await openPage(browser, `${home}/funnels?start=2026-11-20&end=2026-11-10&events=a`)
  expect([reversed.status, reversed.location]).toEqual([302, `${home}/funnels?start=20261110&end=20261120&events=a`])
  expect((await openPage(browser, `${home}/funnels?start=20261131&end=20261132&events=a&events=b`)).status).toBe(422)
})
