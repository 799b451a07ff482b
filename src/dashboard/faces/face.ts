import type { Handler, MiddlewareHandler } from 'hono'
import type { AssistantQuestion } from '../../assistants/pages.ts'
import type { AppEnv, RequestContext } from '../../http/context.ts'
import type { QueryParams } from '../../http/params.ts'
import type { CardFigures } from '../figures/card-figures.ts'
import type { TableOf } from '../figures/csv-of.ts'
import { type FigureCell, usersHrefOf } from '../figures/figure-users.ts'
import type { View } from '../request/address.ts'
import type { AnswerTo } from '../request/application-request.ts'
import type { MakePage } from '../request/page-content.ts'
import type { PageQuestion } from '../request/page-question.ts'
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
  /** What its script asks for, by the path behind the page's own. */
  readonly fragments?: Readonly<Record<string, Handler<AppEnv>>>
  /** What its forms send, by the path behind the page's own. */
  readonly changes?: Readonly<Record<string, MakePage>>
  /** Leads to a better address, before the page is made. */
  readonly before?: MiddlewareHandler<AppEnv>
  /** What it shows, as a table for spreadsheets. */
  readonly csv?: TableOf
  /** The parameters with which the page shows what an assistant asked, by operation. */
  readonly answers?: Readonly<Record<string, ToPlace>>
  /** What a figure is of, in words, by the path of its question. */
  readonly words?: Readonly<Record<string, CellWords>>
  /** What it shows on boards, pinned on Home, and on shared links. A page with a card can be saved as a report. */
  readonly card?: Card
}

/** An entry of the navigation. */
export interface Entry {
  readonly label: string
  readonly icon: IconName
  /** Whether a phone shows it in its bar; the others are under More. */
  readonly isInBar?: true
  /** Whether the application has something that it shows; every application by default. */
  readonly isFor?: (context: RequestContext) => Promise<boolean>
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
  /** The users of each of its groups; null if it has none whose users can be counted. */
  readonly sizes?: (view: View, context: RequestContext) => Promise<readonly GroupSize[]> | null
  /** Whether its figures are made of the values of a parameter, so that one of few events tells a value. */
  readonly isOfValues?: (view: View) => boolean
  /** The filters of each of its parts, where these have filters of their own. */
  readonly filters?: (view: View) => readonly (readonly string[])[]
}

export interface GroupSize {
  /** What the operation calls the group. */
  readonly name: string
  readonly users: number
}

/** A report that a card can show: asks its operation, and draws the answer. Its figures lead to users where the application has a home. */
type CardReport = (context: RequestContext, home: string | null) => Promise<CardFigures>

/** The users of a figure of a card; with `more`, of a question that says more than that of the card. */
export type CardUsers = (at: FigureCell, more?: QueryParams) => string | undefined

type Asked = PageQuestion['operation']

/** Draws an answer on a card. */
type DrawAnswer<O extends Asked> = (answer: AnswerTo<O>, view: View, usersOf: CardUsers) => CardFigures

interface FaceShown<O extends Asked> extends Omit<Face, 'words' | 'card'> {
  /** What a figure is of, in words. */
  readonly words: CellWords
  /** The words of other questions that the page shows. */
  readonly otherWords?: Face['words']
  /** Absent where there is no card. */
  readonly draw?: DrawAnswer<O>
  readonly card?: Partial<Card>
}

/**
 * The face of one question. Its card asks what the page does, and an assistant's answer leads to the page with the parameters that
 * both have.
 */
export function faceOf<O extends Asked>(
  question: PageQuestion<O>,
  { words, otherWords, draw, card, answers, ...face }: FaceShown<O>,
): Face {
  const { operation, path, own } = question
  return {
    ...face,
    answers: { [operation.contract.operationId ?? '']: ({ query: asked }) => given(asked, own), ...answers },
    words: { [path]: words, ...otherWords },
    ...(draw && { card: { ask: cardAsking(question, draw), ...card } }),
  }
}

/** The card of a question; null where a view asks nothing yet. */
export function cardAsking<O extends Asked>(
  { operation, path, query }: PageQuestion<O>,
  draw: DrawAnswer<O>,
): Card['ask'] {
  return (view) => {
    const asked = query(view)
    if (!asked) return null
    return async (context, home) => {
      const answer = (await operation.ask({ query: asked }, context)) as AnswerTo<O>
      const usersOf: CardUsers = (at, more) =>
        home === null ? undefined : usersHrefOf(home, path, { ...asked, ...more })(at)
      return draw(answer, view, usersOf)
    }
  }
}

/** The given ones of these parameters, and those that have a value by default. */
export function given(
  query: URLSearchParams,
  names: readonly string[],
  byDefault: Readonly<Record<string, string>> = {},
): PageParams {
  return names.flatMap((name) => {
    const values = query.has(name) ? query.getAll(name) : [byDefault[name] ?? []].flat()
    return values.map((value) => [name, value] as const)
  })
}
