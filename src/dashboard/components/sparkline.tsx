const WIDTH = 120
const HEIGHT = 28

/** A small line without axes. Where a figure is missing, it goes straight on to the next one. */
export function Sparkline({ data, label }: { data: readonly (number | null)[]; label: string }) {
  const known = data.flatMap((value, place) => (value === null ? [] : [{ value, place }]))
  const values = known.map(({ value }) => value)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const toHeight = (value: number) =>
    most === least ? HEIGHT / 2 : HEIGHT - 2 - ((value - least) / (most - least)) * (HEIGHT - 4)
  const step = WIDTH / Math.max(1, data.length - 1)
  const points = known.map(({ value, place }) => `${(place * step).toFixed(1)},${toHeight(value).toFixed(1)}`)
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} preserveAspectRatio="none">
      <polyline points={points.join(' ')} vector-effect="non-scaling-stroke" />
    </svg>
  )
}
