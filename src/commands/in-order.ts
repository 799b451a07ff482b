interface Working<T, R> {
  readonly atOnce: number
  readonly work: (item: T) => Promise<R>
  readonly done: (item: T, result: R) => void
}

/** Works on several items at a time; what is done is told in the order of the items. The first failure is thrown. */
export async function inOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  { atOnce, work, done }: Working<T, R>,
): Promise<void> {
  const waiting: { readonly item: T; readonly result: Promise<R> }[] = []
  const finish = async (most: number) => {
    for (let first = waiting[0]; first && waiting.length > most; first = waiting[0]) {
      done(first.item, await first.result)
      waiting.shift()
    }
  }
  for await (const item of items) {
    const result = work(item)
    // A failure is thrown in its turn.
    result.catch(() => undefined)
    waiting.push({ item, result })
    await finish(atOnce - 1)
  }
  await finish(0)
}
