import type { OwnApplication } from '../applications/applications.ts'
import { dataSince } from '../retention/kept.ts'
import { toDate } from '../time/days.ts'
import { toDay } from './format.ts'

type Keeping = Pick<OwnApplication, 'keptFrom'>

/** Whether questions know everything about a day (since 1970 UTC), and about all days after it. */
export function isKnown(day: number, { keptFrom }: Keeping): boolean {
  return keptFrom === null || day >= dataSince(keptFrom)
}

/** Since when there is data, where what is shown begins before that. */
export function DataSince({ from, application }: { from: number | undefined; application: Keeping }) {
  const { keptFrom } = application
  if (from === undefined || keptFrom === null || isKnown(from, application)) return null
  return (
    <p class="hint">
      {`There is data since ${toDay(toDate(dataSince(keptFrom)))}. Older events are deleted, so earlier days show less than there was.`}
    </p>
  )
}
