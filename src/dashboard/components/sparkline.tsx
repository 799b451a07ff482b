const WIDTH = 120
const HEIGHT = 28

/** A line of figures that says no more than up or down. */
export function Sparkline({ data, label }: { data: readonly number[]; label: string }) {
  const [least, most] = [Math.min(...data), Math.max(...data)]
  const toHeight = (value: number) =>
    most === least ? HEIGHT / 2 : HEIGHT - 2 - ((value - least) / (most - least)) * (HEIGHT - 4)
  const step = WIDTH / Math.max(1, data.length - 1)
  const points = data.map((value, place) => `${(place * step).toFixed(1)},${toHeight(value).toFixed(1)}`)
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} preserveAspectRatio="none">
      <polyline points={points.join(' ')} vector-effect="non-scaling-stroke" />
    </svg>
  )
}
