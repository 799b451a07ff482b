import { env } from 'cloudflare:workers'
import { vi } from 'vitest'

/** The first dead letter that contains this text, once it is in the database. */
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
  const { results } = await env.DB.prepare('select body from dead_letters').all<{ body: string }>()
  return results.map(({ body }) => body)
}
