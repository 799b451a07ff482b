import { applicationOf } from '../../access/access.ts'
import { findSpentQuotas, type Taking, takeFromQuotas } from '../../accounts/quotas/meter.ts'
import { countNewEntries } from '../../accounts/quotas/new-entries.ts'
import { quotaSpent } from '../../accounts/quotas/quota.ts'
import { Invalid } from '../../base/errors.ts'
import { bytesOf, toStored } from '../../collection/event-batch.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import type { RequestContext } from '../../http/context.ts'
import { wakeObjects } from '../../questions/rollups/wake.ts'
import { mainObject } from '../../storage/application-objects.ts'
import { importEvents, MAX_LINES } from './contract.ts'
import { type ImportLine, readLine } from './line.ts'
import { storeLines } from './store.ts'

const SCOPE = 'full'

export const importEventsRoute = operation(
  importEvents,
  { header: 'x-api-key', scope: 'full', budget: 'collection' },
  async ({ body: lines }, { access, env, now, defer }) => {
    const applicationId = applicationOf(access).id
    const objects = env.APPLICATIONS
    const events = lines.flatMap((line) => (line.kind === 'event' ? [line.event] : []))
    const taking: Taking = {
      ...{ applicationId, share: SCOPE, now, defer },
      events: Math.max(events.length, 1),
      bytes: bytesOf(events),
      reportToObject: (use, day) => mainObject(applicationId, objects).countUse(day, use, 'request'),
    }
    const [spent] = findSpentQuotas(taking)
    // Imports refuse what collection would store without its name or context: a complete history tomorrow is worth more.
    if (spent) throw quotaSpent(spent, now)
    await takeFromQuotas(taking)
    const { changes, refused, ...counts } = await storeLines(lines, { applicationId, scope: SCOPE, env, now })
    const stored = toStored(changes)
    defer(Promise.all([wakeObjects(stored.objects, objects), countNewEntries(stored.growth, now, objects)]))
    return { ...SUCCESS, ...counts, refused: [...refused] }
  },
  // An import is thousands of requests.
  { readBody: readLines, audited: 'never' },
)

const BYTE_ORDER_MARK = /^\ufeff/

/** Throws `Invalid` if there are too many. */
function readLines(text: unknown, { now }: RequestContext): ImportLine[] {
  const lines = String(text).replace(BYTE_ORDER_MARK, '').split('\n')
  if (lines.at(-1) === '') lines.pop()
  if (lines.length <= MAX_LINES) return lines.map((line) => readLine(line, now))
  const msg = `Body should have at most ${MAX_LINES} lines, not ${lines.length}`
  throw new Invalid([{ loc: ['body'], msg, type: 'too_long' }])
}
