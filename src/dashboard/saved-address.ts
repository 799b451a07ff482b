import { nextPage } from './next-page.ts'
import type { View } from './view.ts'

/** The pages whose questions can be saved, by their path behind the application's own. */
const QUESTION_PAGES: ReadonlyMap<string, string> = new Map([
  ['', 'Overview'],
  ['events', 'Events'],
  ['funnels', 'Funnels'],
  ['retention', 'Retention'],
  ['paths', 'Paths'],
])

/** Says to the page that follows what became of the question; no part of any question. */
const NEWS = 'question-saved'

/** Where in a list somebody is, is no part of a question either. */
const PASSING = [NEWS, 'offset', 'before']

/** What a page is saved as: its address behind that of its application. Null for a page that asks nothing. */
export function toSavedAddress({ path, params }: Pick<View, 'path' | 'params'>, home: string): string | null {
  if (path.slice(0, home.length).toLowerCase() !== home.toLowerCase()) return null
  const rest = path.slice(home.length)
  const page = rest.replace(/^\//, '')
  if ((rest !== '' && rest === page) || !QUESTION_PAGES.has(page)) return null
  const kept = new URLSearchParams(params)
  for (const name of PASSING) kept.delete(name)
  return kept.size === 0 ? page : `${page}?${kept}`
}

/** The same of an address that a form sent; null also where it leads anywhere else. */
export function readSavedAddress(text: string, home: string): string | null {
  const { pathname: path, searchParams: params } = new URL(nextPage(text), 'https://nowhere.invalid')
  return toSavedAddress({ path, params }, home)
}

/** The way back from what was saved. */
export function hrefOfSaved(home: string, address: string): string {
  return address === '' || address.startsWith('?') ? home + address : `${home}/${address}`
}

/** The page that a saved address is of: `Funnels`. */
export function pageOfSaved(address: string): string {
  return QUESTION_PAGES.get(address.replace(/\?.*/s, '')) ?? ''
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
