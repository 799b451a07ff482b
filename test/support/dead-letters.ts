import { env } from 'cloudflare:workers'
import { vi } from 'vitest'

/** The first dead letter that contains this text, once the reader has written it down. */
export function findDeadLetter(text: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const letter = (await readDeadLetters()).find((body) => body.includes(text))
      if (letter === undefined) throw new Error(`No dead letter holds ${text}`)
      return letter
    },
    { timeout: 60_000, interval: 100 },
  )
}

async function readDeadLetters(): Promise<string[]> {
  const { keys } = await env.DEAD_LETTERS_READ.list()
  return Promise.all(keys.map(async ({ name }) => (await env.DEAD_LETTERS_READ.get(name)) ?? ''))
}
