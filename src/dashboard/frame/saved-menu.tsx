import { MAX_NAME_CHARACTERS, type SavedQuestion } from '../../accounts/applications/saved-questions.ts'
import { hrefTo, type View } from '../request/address.ts'
import { nextPage } from '../request/next-page.ts'
import { NAVIGATION } from './navigation.ts'

/** The pages whose questions can be saved, by their path behind the application's own. */
const REPORTS: ReadonlyMap<string, string> = new Map(
  NAVIGATION.filter(({ isReport }) => isReport).map(({ page, label }) => [page, label]),
)

/** Tells the next page whether the question was saved or replaced. */
const NEWS = 'question-saved'

/** Parameters that are no part of a question. */
const PASSING = [NEWS, 'offset', 'before']

/** What a page is saved as: its address behind that of its application. Null for a page that asks nothing. */
export function toSavedAddress({ path, params }: Pick<View, 'path' | 'params'>, home: string): string | null {
  if (path.slice(0, home.length).toLowerCase() !== home.toLowerCase()) return null
  const rest = path.slice(home.length)
  const page = rest.replace(/^\//, '')
  if ((rest !== '' && rest === page) || !REPORTS.has(page)) return null
  const kept = new URLSearchParams(params)
  for (const name of PASSING) kept.delete(name)
  return kept.size === 0 ? page : `${page}?${kept}`
}

/** What the address that a form sent is saved as; null if it asks nothing, or leads elsewhere. */
export function readSavedAddress(text: string, home: string): string | null {
  const { pathname: path, searchParams: params } = new URL(nextPage(text), 'https://nowhere.invalid')
  return toSavedAddress({ path, params }, home)
}

export function hrefOfSaved(home: string, address: string): string {
  return address === '' || address.startsWith('?') ? home + address : `${home}/${address}`
}

/** The page that a saved address is of: `Funnels`. */
export function pageOfSaved(address: string): string {
  return REPORTS.get(address.replace(/\?.*/s, '')) ?? ''
}

export type SavingNews = 'new' | 'replaced'

export function hrefWithNews(href: string, news: SavingNews): string {
  return `${href}${href.includes('?') ? '&' : '?'}${NEWS}=${news}`
}

/** Takes the news out of an address, so that no link of the page carries it on. */
export function takeNews({ searchParams }: URL): SavingNews | null {
  const news = searchParams.get(NEWS)
  searchParams.delete(NEWS)
  return news === 'new' || news === 'replaced' ? news : null
}

const SHOWN = 30

interface SavedShown {
  readonly saved: readonly SavedQuestion[]
  readonly view: View
  readonly home: string
}

export function SavedMenu({ saved, view, home, canSave }: SavedShown & { canSave: boolean }) {
  const address = toSavedAddress(view, home) ?? ''
  const current = saved.find((question) => question.address === address)
  const list = `${home}/saved-questions`
  const label = saved.length === 0 && canSave ? 'Save report' : 'Saved reports'
  return (
    <details class="menu saved">
      <summary aria-current={current ? 'true' : undefined}>
        {current ? <bdi title={current.name}>{current.name}</bdi> : label}
      </summary>
      <div class="panel">
        {saved.length === 0 && <p class="hint">Saved reports can be put on boards, shared and sent as digests.</p>}
        {saved.length > 0 && (
          <ul>
            {saved.slice(0, SHOWN).map((question) => (
              <li>
                <a href={hrefOfSaved(home, question.address)} aria-current={question === current ? 'true' : undefined}>
                  <bdi title={question.name}>{question.name}</bdi>
                </a>
              </li>
            ))}
          </ul>
        )}
        {saved.length > 0 && <a href={list}>All saved reports</a>}
        {canSave && (
          <form method="post" action={list} class="naming">
            <input type="hidden" name="address" value={hrefOfSaved(home, address)} />
            <label>
              Save this report as
              <input name="name" required maxlength={MAX_NAME_CHARACTERS} autocomplete="off" />
            </label>
            <button type="submit">Save</button>
          </form>
        )}
      </div>
    </details>
  )
}

/** Says that a report was saved, and leads on to where a team sees it. */
export function SavedNote({ saved, view, home, news, canSave }: SavedShown & { news: SavingNews; canSave: boolean }) {
  const address = toSavedAddress(view, home)
  // The address may have been sent to somebody, and the question been deleted.
  const names = saved.filter((question) => question.address === address).map(({ name }) => name)
  if (names.length === 0) return null
  return (
    <p class="note" role="status">
      {news === 'new' ? 'Saved as ' : 'Replaced the saved report '}
      <bdi>{names.join(', ')}</bdi>.
      {canSave && (
        <>
          {' '}
          <a href={hrefTo(view, `${home}/boards`, { report: names })}>Put it on a board</a> or{' '}
          <a href={`${home}/saved-questions`}>share or pin it</a>.
        </>
      )}
    </p>
  )
}
