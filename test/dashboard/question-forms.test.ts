import { z } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import { QuestionForm } from '../../src/dashboard/forms/question-form.tsx'
import { readView } from '../../src/dashboard/request/address.ts'
import { pageQuestion } from '../../src/dashboard/request/page-question.ts'
import { booleanParam, integerParam } from '../../src/http/params.ts'
import { openPage, visit } from '../support/dashboard.ts'

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
  const { browser, home } = await visit(
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

it('a declared form takes its numbers and defaults from the contract, and does not send what the operation takes by default', () => {
  const query = z.object({
    start: z.string(),
    first_event: z.string(),
    order: z.enum(['up', 'down']).default('up'),
    steps: integerParam({ min: 1, max: 3 }).default(2),
    hidden: booleanParam().default(false),
    limit: z.string(),
  })
  const question = pageQuestion({ contract: { path: '/made-up', request: { query } }, ask: async () => null })
  const fields = {
    first_event: { label: 'First event' },
    order: { label: 'Order', options: { up: 'Up', down: 'Down' } },
    steps: { label: 'Steps' },
    hidden: { label: 'Hidden', options: { false: 'No', true: 'Yes' } },
    drawn: { label: 'Drawn as', options: { lines: 'Lines', bars: 'Bars' } },
  }
  const view = readView(new URL('https://a.test/page?order=odd&steps=2&hidden=true&first_event=Look&other=1'), 20_000)
  const problem = null
  const html = String(QuestionForm({ question, fields, view, problem, names: ['Look'], params: [], cohorts: [] }))
  const sent = [...html.matchAll(/<(?:input|option)[^>]* value="([^"]*)"( selected)?/g)].map(
    ([, value, chosen = '']) => `${value}${chosen}`,
  )
  expect(sent).toEqual([
    '1',
    'Look',
    '',
    'down',
    'odd selected',
    '1',
    ' selected',
    '3',
    '',
    'true selected',
    ' selected',
    'bars',
    'Look',
  ])
  expect(question.query(view)).toMatchObject({ order: 'odd', steps: '2', hidden: 'true', first_event: 'Look' })
  expect(question.own).toEqual(['first_event', 'order', 'steps', 'hidden'])
})
