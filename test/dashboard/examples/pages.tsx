import { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { answerPage, PAGE_POLICY } from '../../../src/dashboard/frame/page.tsx'
import { assetAt } from '../../../src/http/assets/assets.ts'
import { Charts } from './charts.tsx'
import { Forms } from './forms.tsx'
import { APPLICATION, OWNER, Pages } from './frame.tsx'
import { Reports } from './reports.tsx'
import { States } from './states.tsx'
import { Tables } from './tables.tsx'

/** The components of the dashboard with made-up data, a page for each kind. */
export const EXAMPLES: Readonly<Record<string, () => Child>> = {
  charts: Charts,
  reports: Reports,
  tables: Tables,
  forms: Forms,
  states: States,
}

/** What a browser asks for; only tests serve it. */
export const examples = new Hono()

for (const [name, Content] of Object.entries(EXAMPLES)) {
  examples.get(`/${name}`, (c) => {
    c.header('content-security-policy', PAGE_POLICY)
    return answerPage(c, {
      title: name,
      scripts: ['plots.js'],
      visitor: OWNER,
      application: APPLICATION,
      activeNow: null,
      navigation: <Pages />,
      content: (
        <>
          <h1>{`Examples: ${name}`}</h1>
          <Content />
        </>
      ),
    })
  })
}

examples.get('/assets/:file', (c) => {
  const asset = assetAt(c.req.param('file'))
  return asset ? c.body(asset.text, 200, { 'content-type': asset.type }) : c.notFound()
})
