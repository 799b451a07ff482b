/** The result, if it arrives in time; otherwise rejects, and a late result is lost. Leaves no timer behind. */
export async function withTimeout<T>(answer: PromiseLike<T>, timeoutMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`No answer within ${timeoutMs} ms`)), timeoutMs)
  try {
    return await Promise.race([answer, promise])
  } finally {
    clearTimeout(timer)
  }
}
