import { applicationOf } from '../../access/access.ts'
import { sourceReader } from '../../base/sources.ts'
import { toMessengerId } from '../../base/text/messenger-ids.ts'
import type { RequestContext } from '../../http/context.ts'
import { readFirstTouches } from '../first-touches/read.ts'
import type { Ancestors } from './ancestors.ts'
import { NOBODY } from './claims.ts'

/** Finds users whose events are all deleted. Objects do not know them; only their first touches are remembered. */
export type FindGone = (ids: Float64Array) => Promise<Ancestors>

export function goneFinder(context: Pick<RequestContext, 'access' | 'env' | 'questions' | 'elapsed'>): FindGone {
  const read = sourceReader(applicationOf(context.access).sources ?? [])
  const toReferrer = (text: string) => toMessengerId(read(text).values.referrer ?? '') ?? NOBODY
  return async (ids) => {
    const found = [...(await readFirstTouches([...ids], context)).values()]
    return {
      ids: Float64Array.from(found, ({ telegramId }) => telegramId),
      times: Float64Array.from(found, ({ time }) => time),
      referrers: Float64Array.from(found, ({ acquired }) => (acquired ? toReferrer(acquired.startParameter) : NOBODY)),
    }
  }
}
