import type { Handler } from 'hono'
import { calendarOf } from '../../../base/time/calendar.ts'
import type { AppEnv } from '../../../http/context.ts'
import { FoundList, SearchForm, SearchResults } from '../../forms/search.tsx'
import { plainPage } from '../../frame/application-page.tsx'
import { GO_LABEL } from '../../frame/header.tsx'
import { homeOf, readView } from '../../request/address.ts'
import { contextAbout, findApplication } from '../../request/application-request.ts'
import { findAnywhere } from './find.ts'

const NONE =
  "Nothing matches. Search by a part of a name, or by a user's whole id, @username or name (three characters or more)."

export const searchPage = plainPage(async (request) => {
  const { view, home } = request
  const text = view.params.get('q')?.trim() ?? ''
  const address = `${home}/search`
  return {
    title: 'Search',
    subject: text || undefined,
    content: (
      <section class="card">
        <h2>{text === '' ? 'All pages' : 'Results'}</h2>
        <SearchForm action={address} name="q" label={GO_LABEL} value={text} />
        <SearchResults address={`${address}/results`} name="q">
          <FoundList found={await findAnywhere(request, text)} none={NONE} />
        </SearchResults>
      </section>
    ),
  }
})

/** What the script shows while somebody types. Throws `not-found`. */
export const searchResults: Handler<AppEnv> = async (c) => {
  const application = await findApplication(c)
  const { context } = contextAbout(c, application)
  const today = calendarOf(application.timeZone).dayOf(c.get('now'))
  const text = c.req.query('q')?.trim() ?? ''
  // Links lead to the default period: the fragment does not know the page's.
  const view = readView(new URL(homeOf(application), c.req.url), today)
  const asking = { c, visitor: c.get('visitor'), application, home: homeOf(application), view, context }
  return c.html(<FoundList found={await findAnywhere(asking, text)} none={NONE} />)
}
