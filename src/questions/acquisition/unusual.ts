import { LEAST_USERS, UNUSUAL_FIGURES } from './contract.ts'

type Figure = (typeof UNUSUAL_FIGURES)[number]

/** Figures of a group that reveal fake users. */
export type TellingFigures = { readonly [Name in Figure]: number } & { readonly users: number }

/** Fewer groups have no meaningful quartiles. */
const LEAST_GROUPS = 4
const RANGES = 3
/** The least interquartile range, in users or percentage points: in similar groups, smaller ranges are chance. */
const LEAST_RANGE = 1

/** Finds figures of a group beyond three interquartile ranges from the third quartile (Tukey's outer fence). */
export function unusualIn(all: readonly TellingFigures[]): (group: TellingFigures) => Figure[] {
  const compared = all.filter(({ users }) => users >= LEAST_USERS)
  if (compared.length < LEAST_GROUPS) return () => []
  const fences = new Map(UNUSUAL_FIGURES.map((name) => [name, fenceOf(compared.map((group) => group[name]))]))
  return (group) =>
    group.users < LEAST_USERS ? [] : UNUSUAL_FIGURES.filter((name) => group[name] > (fences.get(name) as number))
}

function fenceOf(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const [first, third] = [quantile(sorted, 1 / 4), quantile(sorted, 3 / 4)]
  return third + RANGES * Math.max(third - first, LEAST_RANGE)
}

/** Computes a quantile by linear interpolation between the closest ranks. */
function quantile(sorted: readonly number[], share: number): number {
  const rank = (sorted.length - 1) * share
  const [lower, upper] = [sorted[Math.floor(rank)] as number, sorted[Math.ceil(rank)] as number]
  return lower + (upper - lower) * (rank - Math.floor(rank))
}
