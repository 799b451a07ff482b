/** A bar behind a row's label, so long as the row's share of the longest or of all. */
export function Bar({ part, whole }: { part: number; whole: number }) {
  return (
    <svg class="length" aria-hidden="true">
      <rect width={`${Math.max(LEAST_PERCENT, (part / whole) * 100).toFixed(2)}%`} height="100%" rx="4" />
    </svg>
  )
}

/** What is little is not nothing. */
const LEAST_PERCENT = 0.5
