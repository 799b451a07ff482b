import { afterEach, expect, it, vi } from 'vitest'
import { readText } from '../../src/http/request-body.ts'

const MIB = 1_048_576
const TOO_LARGE = 'The body is larger than 1 MiB.'

afterEach(() => {
  vi.useRealTimers()
})

/** A body that is sent MiB by MiB, as fast as it is read; counts how many were. */
function bodyOf(mebibytes: number) {
  let sent = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent === mebibytes) return controller.close()
        sent += 1
        controller.enqueue(new Uint8Array(MIB).fill(0x20))
      },
    },
    { highWaterMark: 0 },
  )
  return { body, sent: () => sent }
}

function requestWith(body: ReadableStream, announced?: number): Request {
  const headers: Record<string, string> = announced === undefined ? {} : { 'content-length': String(announced) }
  return new Request('https://mauve.test', { method: 'POST', body, headers })
}

it.each([['announced'], ['not announced']])('reads a body of 1 MiB, %s', async (how) => {
  const text = await readText(requestWith(bodyOf(1).body, how === 'announced' ? MIB : undefined))
  expect(text).toBe(' '.repeat(MIB))
})

it('reads no body as an empty one', async () => {
  expect(await readText(new Request('https://mauve.test', { method: 'POST' }))).toBe('')
})

it.each([
  [3, 3 * MIB],
  [16, 16 * MIB],
  [2, undefined],
  [16, undefined],
])(
  'reads what a sender of %i MiB sends before it answers that this is too much (announced: %j)',
  async (mebibytes, announced) => {
    const { body, sent } = bodyOf(mebibytes)
    await expect(readText(requestWith(body, announced))).rejects.toThrow(TOO_LARGE)
    expect(sent()).toBe(mebibytes)
  },
)

it('does not begin to read a body that is too large', async () => {
  const { body, sent } = bodyOf(17)
  await expect(readText(requestWith(body, 17 * MIB))).rejects.toThrow(TOO_LARGE)
  expect(sent()).toBe(0)
})

it('stops one that does not end', async () => {
  const { body, sent } = bodyOf(Number.POSITIVE_INFINITY)
  await expect(readText(requestWith(body))).rejects.toThrow(TOO_LARGE)
  expect(sent()).toBeLessThan(20)
})

it('waits ten seconds for one that is announced and never sent', async () => {
  vi.useFakeTimers()
  const cancel = vi.fn()
  const answer = readText(
    requestWith(new ReadableStream({ pull: () => new Promise(() => undefined), cancel }), 2 * MIB),
  )
  const refused = expect(answer).rejects.toThrow(TOO_LARGE)
  await vi.advanceTimersByTimeAsync(9_999)
  expect(cancel).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  await refused
  expect(cancel).toHaveBeenCalledOnce()
})

it.each([[MIB], [2 * MIB]])('reports the fault of a body that breaks off after %i bytes', async (announced) => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
  const words = announced > MIB ? TOO_LARGE : '1 invalid value(s)'
  await expect(readText(requestWith(broken, announced))).rejects.toThrow(words)
})
