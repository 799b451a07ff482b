import { nearestName } from '../nearest-name.ts'

interface DidYouMeanShown {
  readonly typed: string
  /** Those that occurred. */
  readonly names: readonly string[]
  readonly hrefOf: (name: string) => string
}

/** A link to the name that is most like one that never occurred; nothing if none is. */
export function DidYouMean({ typed, names, hrefOf }: DidYouMeanShown) {
  const name = nearestName(typed, names)
  if (name === null) return null
  return (
    <>
      {' Did you mean '}
      <a href={hrefOf(name)}>
        <bdi>{name}</bdi>
      </a>
      ?
    </>
  )
}
