import { applicationOf } from '../../access/access.ts'
import { readActivity } from '../../accounts/applications/placement.ts'
import { sourceReader } from '../../base/sources.ts'
import { toMessengerId } from '../../base/text/messenger-ids.ts'
import { ACQUIRING_MS } from '../../columns/first-touches.ts'
import type { RequestContext } from '../../http/context.ts'
import { toReading } from '../reading.ts'
import type { Ancestors } from './ancestors.ts'
import { NOBODY } from './claims.ts'
import { selectGone } from './sql.ts'

/** Of users whose events are all deleted, objects know nothing: databases remember the first ones. */
export type FindGone = (ids: Float64Array) => Promise<Ancestors>

/** A bound value may be 2 MB long. */
const IDS_AT_ONCE = 50_000

export function goneFinder({ access, ...context }: Pick<RequestContext, 'access' | 'questions' | 'env'>): FindGone {
  const { id: applicationId, sources = [] } = applicationOf(access)
  const read = sourceReader(sources)
  const toReferrer = (text: string) => toMessengerId(read(text).values.referrer ?? '') ?? NOBODY
  return async (ids) => {
    const found = await readActivity(applicationId, toReading(context), async (parts) => {
      const rows = parts.map(async ({ db, has }) => {
        const own = [...ids].filter(has)
        const chunks = Array.from({ length: Math.ceil(own.length / IDS_AT_ONCE) }, (_, index) =>
          selectGone(db, applicationId, own.slice(index * IDS_AT_ONCE, (index + 1) * IDS_AT_ONCE)),
        )
        return (await Promise.all(chunks)).flat()
      })
      return (await Promise.all(rows)).flat()
    })
    return {
      ids: Float64Array.from(found, ({ telegramId }) => telegramId),
      times: Float64Array.from(found, ({ firstTime }) => firstTime ?? 0),
      referrers: Float64Array.from(found, ({ firstTime, startTime, startParameter }) => {
        const isAcquired = startParameter !== null && (startTime ?? 0) <= (firstTime ?? 0) + ACQUIRING_MS
        return isAcquired ? toReferrer(startParameter) : NOBODY
      }),
    }
  }
}
