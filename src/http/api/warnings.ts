import { type RouteConfig, z } from '@hono/zod-openapi'
import { nearestOf, withNearest } from '../../base/text/nearest.ts'
import { cut } from '../../base/text/text.ts'
import type { RequestContext } from '../context.ts'

/** Parameters that every operation may be sent: the project, and what proxies and browsers' caches are told. */
const ANYWHERE = /^(project|_|x-.*)$/i
/** An address has room for thousands of parameters. */
const MOST_PARAMS = 10
/** The most characters of a name that a warning shows. */
const SHOWN_CHARACTERS = 100

/** Warns of parameters that an operation does not know. */
export function warnOfParams(
  given: readonly string[],
  { request }: Pick<RouteConfig, 'request'>,
  { warn }: Pick<RequestContext, 'warn'>,
): void {
  const known = request?.query instanceof z.ZodObject ? Object.keys(request.query.shape) : []
  const unknown = given.filter((name) => !known.includes(name) && !ANYWHERE.test(name))
  for (const name of unknown.slice(0, MOST_PARAMS)) {
    const sentence = `'${cut(name, SHOWN_CHARACTERS)}' is not a parameter of this operation`
    warn(withNearest(sentence, nearestOf(name, known)), name)
  }
}

/** Handles a request and adds its warnings to the answer, if that is an object. */
export async function withWarnings<A>(
  context: RequestContext,
  handle: (context: RequestContext) => Promise<A>,
): Promise<A> {
  const warnings = new Set<string>()
  const warn: RequestContext['warn'] = (sentence, name) => {
    warnings.add(sentence)
    context.warn(sentence, name)
  }
  const answered = await handle({ ...context, warn })
  const isObject = !(answered instanceof Response) && !Array.isArray(answered)
  return isObject && warnings.size > 0 ? { ...answered, warnings: [...warnings] } : answered
}
