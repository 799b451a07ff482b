const HEIGHT = 24

interface SparkShown {
  readonly data: readonly (number | null)[]
  /** What it says, where no figure beside it does. */
  readonly label?: string
  /** Whether the last interval is not over: the way to its figure, if it has one, is dashed. */
  readonly isOpen?: boolean
}

/** The course of a figure above zero, without axes. Where a figure is missing, the line goes straight on to the next one. */
export function Spark({ data, label, isOpen = false }: SparkShown) {
  const known = data.flatMap((value, place) => (value === null ? [] : [{ value, place }]))
  const values = known.map(({ value }) => value)
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const y = (value: number) => ((high - value) / (high - low || 1)) * HEIGHT
  const points = known.map(({ value, place }) => `${place} ${Number(y(value).toFixed(1))}`)
  const isGrowing = isOpen && points.length > 1 && typeof data.at(-1) === 'number'
  return (
    <svg
      class="spark"
      viewBox={`0 -2 ${Math.max(1, data.length - 1)} ${HEIGHT + 4}`}
      preserveAspectRatio="none"
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      aria-hidden={label === undefined ? 'true' : undefined}
    >
      {points.length > 0 && <path d={`M${points.slice(0, isGrowing ? -1 : undefined).join('L')}`} />}
      {isGrowing && <path d={`M${points.slice(-2).join('L')}`} />}
    </svg>
  )
}
