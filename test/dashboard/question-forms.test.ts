import { expect, it } from 'vitest'
import { openDashboard, openPage } from '../support/dashboard.ts'

const PAGES = [
  'trends?event_a=Look',
  'funnels?events=Look&events=Pay',
  'retention',
  'paths',
  'events?event=Look',
  'revenue',
  'acquisition',
  'bot',
]
const FORM = /<form [^>]*class="card question".*?<\/form>/s
const MENU = /<details class="menu".*?<\/details>/gs

it('every form that asks applies when a field changes, and has a button for pages without scripts', async () => {
  const { browser, home } = await openDashboard(
    ['Look', 'Pay', 'telegram_message'].map((event_type) => ({ event_type, telegram_id: 1, datetime: Date.now() })),
  )
  for (const page of PAGES) {
    const [form = ''] = FORM.exec((await openPage(browser, `${home}/${page}`)).text) ?? []
    const buttons = [...form.replaceAll(MENU, '').matchAll(/<button ([^>]*)>/g)].map(([, attributes]) => attributes)
    expect({ page, isHere: form.includes('data-here=""'), buttons }).toEqual({
      page,
      isHere: true,
      buttons: ['type="submit" class="apply"'],
    })
  }
})
