/** Several sequences in order as one, in pieces of whatever size. No piece is empty. */
export async function* merge<T>(
  sequences: readonly AsyncGenerator<T[]>[],
  compare: (a: T, b: T) => number,
): AsyncGenerator<T[]> {
  const [only, ...others] = sequences
  if (only && others.length === 0) return yield* only
  try {
    yield* interleave(sequences, compare)
  } finally {
    await Promise.all(sequences.map((sequence) => sequence.return(undefined)))
  }
}

/** What was read of a sequence and not handed on yet; never empty. */
interface Head<T> {
  readonly sequence: AsyncGenerator<T[]>
  readonly items: readonly T[]
  next: number
}

async function* interleave<T>(
  sequences: readonly AsyncGenerator<T[]>[],
  compare: (a: T, b: T) => number,
): AsyncGenerator<T[]> {
  let heads = (await Promise.all(sequences.map(read))).flat()
  while (heads.length > 0) {
    const piece: T[] = []
    while (heads.every(({ items, next }) => next < items.length)) piece.push(takeFirst(heads, compare))
    yield piece
    heads = (
      await Promise.all(heads.map((head) => (head.next < head.items.length ? [head] : read(head.sequence))))
    ).flat()
  }
}

function takeFirst<T>(heads: readonly Head<T>[], compare: (a: T, b: T) => number): T {
  const first = heads.reduce((best, head) =>
    compare(head.items[head.next] as T, best.items[best.next] as T) < 0 ? head : best,
  )
  return first.items[first.next++] as T
}

async function read<T>(sequence: AsyncGenerator<T[]>): Promise<Head<T>[]> {
  for (;;) {
    const { value, done } = await sequence.next()
    if (done) return []
    if (value.length > 0) return [{ sequence, items: value, next: 0 }]
  }
}
