const [WIDTH, HEIGHT] = [100, 24]

/** The course of a figure, so small that it needs no names. */
export function Spark({ data }: { readonly data: readonly (number | null)[] }) {
  const heights = data.map((value) => value ?? 0)
  const [low, high] = [Math.min(0, ...heights), Math.max(0, ...heights)]
  const step = WIDTH / Math.max(1, heights.length - 1)
  const y = (value: number) => ((high - value) / (high - low || 1)) * HEIGHT
  const points = heights.map((value, index) => `${Number((index * step).toFixed(1))} ${Number(y(value).toFixed(1))}`)
  return (
    <svg
      class="spark"
      aria-hidden="true"
      viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
      preserveAspectRatio="none"
      width={WIDTH}
      height={HEIGHT}
    >
      <path d={`M${points.join('L')}`} />
    </svg>
  )
}
