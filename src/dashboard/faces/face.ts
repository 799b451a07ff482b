import type { MiddlewareHandler } from 'hono'
import type { AssistantQuestion } from '../../assistants/pages.ts'
import type { AppEnv, RequestContext } from '../../http/context.ts'
import type { QueryParams } from '../../http/params.ts'
import type { CardFigures } from '../figures/card-figures.ts'
import type { TableOf } from '../figures/csv-of.ts'
import type { View } from '../request/address.ts'
import type { AnswerTo } from '../request/application-request.ts'
import type { MakePage } from '../request/page-content.ts'
import type { IconName } from '../words/icon.tsx'
import type { CellWords } from './cell-words.ts'

/**
 * The face of a question: its page, and what the navigation, boards, shared links, assistants' answers and lists of users need to know of it. Each
 * is declared once and listed in `faces.ts`.
 */
export interface Face {
  /** The path of its page behind the application's own; empty for Home. */
  readonly page: string
  /** The page's entry in the navigation; absent for a page that only others lead to. */
  readonly navigation?: Entry
  /** Makes the page; absent if the page shows more than questions and is therefore in `pages/`. */
  readonly make?: MakePage
  /** A plain page has no period and filters of the frame; the header of a live one says how many users are active now. */
  readonly kind?: 'plain' | 'live'
  /** Leads to a better address, before the page is made. */
  readonly before?: MiddlewareHandler<AppEnv>
  /** What it shows, as a table for spreadsheets. */
  readonly csv?: TableOf
  /** The parameters with which the page shows what an assistant asked, by operation. */
  readonly answers?: Readonly<Record<string, ToPlace>>
  /** What a figure is of, in words, by the path of its question. */
  readonly words?: Readonly<Record<string, CellWords>>
  /** What it shows on boards, pinned on Home, and on shared links. */
  readonly card?: Card
}

/** An entry of the navigation. */
export interface Entry {
  readonly label: string
  readonly icon: IconName
  /** Whether a phone shows it in its bar; the others are under More. */
  readonly isInBar?: true
  /** Whether its address is a question, which can be saved. */
  readonly isReport?: true
  /** Whether it is shown only once the application has events of a bot. */
  readonly needsBot?: true
}

/** The parameters of a page that are its own, or another page below it with its parameters. */
export type Place = PageParams | readonly [page: string, own: PageParams]
export type PageParams = readonly (readonly [name: string, value: string])[]
type ToPlace = (asked: AssistantQuestion) => Place

interface Card {
  /** Null if a view asks nothing yet. */
  readonly ask: (view: View) => CardReport | null
  /** The properties that its groups are values of; without it those of `group_by`. */
  readonly breakdowns?: (view: View) => readonly string[]
  /** The event whose users its groups divide; null if it has no such groups. */
  readonly eventOf?: (view: View) => string | null
  /** The filters of each part of the report, if its parts have filters of their own. */
  readonly filters?: (view: View) => readonly (readonly string[])[]
}

/** A report that a card can show: asks its operation, and draws the answer. */
export interface CardReport {
  readonly draw: (context: RequestContext) => Promise<CardFigures>
}

interface Asked {
  readonly ask: (request: { readonly query: QueryParams }, context: RequestContext) => Promise<unknown>
}

export function cardReport<O extends Asked>(
  operation: O,
  query: QueryParams,
  draw: (answer: AnswerTo<O>) => CardFigures,
): CardReport {
  return { draw: async (context) => draw((await operation.ask({ query }, context)) as AnswerTo<O>) }
}

/** The given ones of these parameters. */
export function given(query: URLSearchParams, names: readonly string[]): PageParams {
  return names.flatMap((name) => query.getAll(name).map((value) => [name, value] as const))
}
