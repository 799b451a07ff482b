import { applicationOf } from '../accounts/access.ts'
import { SUCCESS } from '../api/answers.ts'
import { operation } from '../api/operation.ts'
import { bytesOf } from '../collection/size.ts'
import { toStored } from '../collection/storing.ts'
import type { RequestContext } from '../context.ts'
import { Invalid } from '../errors.ts'
import { countGrowth } from '../quotas/growth.ts'
import { takeFromQuotas } from '../quotas/meter.ts'
import { wakeObjects } from '../rollups/wake.ts'
import { dayOf } from '../time/days.ts'
import { importEvents, MAX_LINES } from './contract.ts'
import { type Line, readLine } from './line.ts'
import { storeLines } from './store.ts'

const SCOPE = 'full'

export const importEventsRoute = operation(
  importEvents,
  { header: 'x-api-key', scope: 'full', budget: 'collection' },
  async ({ body: lines }, { access, env, now, defer }) => {
    const applicationId = applicationOf(access).id
    const objects = env.APPLICATIONS
    const events = lines.flatMap((line) => (line.kind === 'event' ? [line.event] : []))
    await takeFromQuotas({
      ...{ applicationId, scope: SCOPE, now, defer },
      events: Math.max(events.length, 1),
      bytes: bytesOf(events),
      tellObject: (use, day) => objects.getByName(String(applicationId)).countUse({ applicationId, day }, use),
    })
    const { told, refused, ...counts } = await storeLines(lines, { applicationId, scope: SCOPE, env, now })
    const stored = toStored(told)
    defer(Promise.all([wakeObjects(stored.objects, objects), countGrowth(stored.growth, dayOf(now), objects)]))
    return { ...SUCCESS, ...counts, refused: [...refused] }
  },
  { readBody: readLines },
)

const BYTE_ORDER_MARK = /^\ufeff/

/** Throws `Invalid` where there are too many. */
function readLines(text: unknown, { now }: RequestContext): Line[] {
  const lines = String(text).replace(BYTE_ORDER_MARK, '').split('\n')
  if (lines.at(-1) === '') lines.pop()
  if (lines.length <= MAX_LINES) return lines.map((line) => readLine(line, now))
  const msg = `Body should have at most ${MAX_LINES} lines, not ${lines.length}`
  throw new Invalid([{ loc: ['body'], msg, type: 'too_long' }])
}
