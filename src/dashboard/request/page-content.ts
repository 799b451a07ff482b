import type { Child } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AssetName } from '../../http/assets/assets.ts'
import type { QueryParams } from '../../http/params.ts'
import type { ApplicationRequest } from './application-request.ts'

/** What a page puts into the frame that all pages of an application share. */
export interface PageContent {
  readonly title: string
  /** What distinguishes its address from others of the page in the title of the window: `Product viewed → Order paid`. */
  readonly subject?: string | undefined
  /** Whether the content begins with a heading that says what the title does. */
  readonly hasHeading?: boolean
  readonly content: Child
  readonly scripts?: readonly AssetName[]
  readonly status?: ContentfulStatusCode | undefined
  /** Whether it has plots of days, on which annotations are shown. */
  readonly hasDays?: boolean
  /** The operation whose answer it shows, and what it is asked. */
  readonly command?: Command | undefined
  /** The first day that it shows; that of the view's period by default. */
  readonly from?: number | undefined
}

interface Command {
  readonly operation: { readonly contract: { readonly path: string } }
  readonly query: QueryParams
}

/** Makes a page of an application. What a form sent may be answered with another address instead. */
export type MakePage = (request: ApplicationRequest) => Promise<PageContent | Response>
