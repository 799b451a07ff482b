import type { Handler } from 'hono'
import type { AppEnv } from '../../../http/context.ts'
import { FoundList, SearchForm, SearchResults } from '../../forms/search.tsx'
import { plainPage } from '../../frame/application-page.tsx'
import { GO_LABEL } from '../../frame/header.tsx'
import { requestAt } from '../../request/application-request.ts'
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

/** What the script shows while somebody types. Links lead to the default period: it does not know the page's. Throws `not-found`. */
export const searchResults: Handler<AppEnv> = async (c) => {
  const text = c.req.query('q')?.trim() ?? ''
  const asking = await requestAt(c, new URL('/', c.req.url))
  return c.html(<FoundList found={await findAnywhere(asking, text)} none={NONE} />)
}
