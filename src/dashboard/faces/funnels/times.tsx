import type { FunnelConversionTime } from '../../../questions/funnels/contract.ts'
import { Bars } from '../../figures/bars.tsx'
import { SECONDS, textOf } from '../../figures/declared.ts'
import { toDuration } from '../../words/format.ts'

const SPAN = { unit: SECONDS }

/** How long it took users to get from the first step to the last. */
export function ConversionTimes({
  median_seconds: median,
  average_seconds: average,
  distribution,
}: FunnelConversionTime) {
  const users = distribution.reduce((sum, part) => sum + part.users, 0)
  if (users === 0) return <p class="nothing">Nobody has converted yet.</p>
  const last = distribution.findLastIndex((part) => part.users > 0)
  const rows = distribution.slice(0, last + 1).map(({ from_seconds: from, users: value }, place) => ({
    label: nameOf(from, distribution[place + 1]?.from_seconds),
    value,
  }))
  return (
    <>
      <p>{`Median ${textOf(SPAN, median)}, average ${textOf(SPAN, average)}.`}</p>
      <Bars title="Time to convert" of="Users" rows={rows} whole={users} />
    </>
  )
}

function nameOf(from: number, to: number | undefined): string {
  if (to === undefined) return from === 0 ? 'Any time' : `${toDuration(from)} or more`
  return from === 0 ? `Less than ${toDuration(to)}` : `${toDuration(from)} to ${toDuration(to)}`
}
