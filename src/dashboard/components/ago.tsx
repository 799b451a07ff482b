import { toAge, toMoment } from '../format.ts'

/** How long ago a moment was; when exactly, in its title. */
export function Ago({ iso, now }: { iso: string; now: number }) {
  return (
    <time datetime={iso} title={`${toMoment(iso)} UTC`}>
      {toAge(iso, now)}
    </time>
  )
}
