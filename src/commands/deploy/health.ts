import { setTimeout as sleep } from 'node:timers/promises'

const TRIES = 10
const PAUSE_MS = 3_000

/** Waits until the service answers that it is well; a new address takes a while to be known everywhere. */
export async function waitForHealth({ address }: { address: string | null }): Promise<string> {
  if (!address) return 'not checked: Wrangler named no address'
  for (let tries = 1; ; tries++) {
    const said = await askHealth(address)
    if (said === 'ok') return 'ok: database and cache answer'
    if (tries === TRIES) return `not ok yet (${said}). Look at ${address}/health in a minute`
    await sleep(PAUSE_MS)
  }
}

async function askHealth(address: string): Promise<string> {
  try {
    const response = await fetch(new URL('/health', address), { signal: AbortSignal.timeout(PAUSE_MS) })
    return response.ok ? 'ok' : `it answers ${response.status}`
  } catch (error) {
    return (error as Error).message
  }
}
