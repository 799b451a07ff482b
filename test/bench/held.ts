/** Less than this is what the runtime itself holds and drops. */
const FREED_BYTES = 100_000

/** The bytes that this process holds. Buffers are freed some time after a collection: the least of several, as soon as no more are. */
export async function held(): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (;;) {
    globalThis.gc?.()
    await new Promise((resolve) => setImmediate(resolve))
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    if (heapUsed + arrayBuffers > least - FREED_BYTES) return Math.min(least, heapUsed + arrayBuffers)
    least = heapUsed + arrayBuffers
  }
}
