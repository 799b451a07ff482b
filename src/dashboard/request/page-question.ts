import { z } from '@hono/zod-openapi'
import { fieldsOf, type Schema, toJsonSchema } from '../../http/api/json-schema.ts'
import type { RequestContext } from '../../http/context.ts'
import { pickParams, type QueryParams } from '../../http/params.ts'
import { commonQuery, type View } from './address.ts'

/** An operation that a page asks with what stands in its address. */
interface PageOperation {
  readonly contract: {
    readonly path: string
    readonly operationId?: string | undefined
    readonly request?: { readonly query?: unknown }
  }
  ask(request: { readonly query: QueryParams }, context: RequestContext): Promise<unknown>
}

/** A question as the address of its page asks it: what a page takes, and what it takes by default, is in the contract. */
export interface PageQuestion<O = PageOperation, Query = QueryParams | null> {
  readonly operation: O
  readonly path: string
  /** The parameters that are its own, in the contract's order. */
  readonly own: readonly string[]
  /** What the contract says of a parameter; undefined for a parameter of the page itself. */
  readonly schemaOf: (name: string) => Schema | undefined
  /** What a view asks; null where it lacks what the operation needs. */
  readonly query: (view: View) => Query
}

/** The parameters of all pages, and of how long a list is. */
const SHARED: readonly string[] = ['start', 'end', 'filters', 'limit']

/** `byDefault`: what a view asks that does not say it. */
export function pageQuestion<O extends PageOperation>(
  operation: O,
  byDefault: (view: View) => QueryParams = () => ({}),
): PageQuestion<O, QueryParams> {
  const { path, request } = operation.contract
  const params = fieldsOf(request?.query)
  const own = Object.keys(params).filter((name) => !SHARED.includes(name))
  let described: ReturnType<typeof toJsonSchema> | undefined
  return {
    operation,
    path,
    own,
    schemaOf(name) {
      described ??= toJsonSchema(z.object(params))
      const { root, resolve } = described
      const found = root.properties && Object.hasOwn(root.properties, name) ? root.properties[name] : undefined
      return found && resolve(found)
    },
    query: (view) => ({ ...byDefault(view), ...commonQuery(view), ...pickParams(view.params, own) }),
  }
}
