import { load, repeatFor, toRequest } from './load.ts'
import { interleave, median, medianRatio } from './rounds.ts'
import { createApplication, type Service } from './service.ts'
import { perSecond, type Section, times } from './table.ts'

const ROUNDS = 9
const CONNECTIONS = 32

/** Requests a second of the warm client configuration and of the key check alone, next to a bare Hono route and one that reads a KV key. */
export async function measureClientConfig(service: Service, { quick }: { quick: boolean }): Promise<Section> {
  const { key } = await createApplication(service)
  const headers = { authorization: `Bearer ${key}`, 'cf-connecting-ip': '203.0.113.7' }
  await storeSnapshot(service, headers)
  const roundMs = quick ? 100 : 1_000
  const ask = (address: URL, path: string) => () => {
    const next = repeatFor(roundMs, toRequest(address, { path, headers }))
    return load({ address, next, connections: CONNECTIONS })
  }
  const rates = await interleave(
    {
      bare: ask(service.bench, '/bare'),
      key: ask(service.bench, '/key'),
      kv: ask(service.bench, '/kv'),
      config: ask(service.mauve, '/v1/client/config'),
    },
    ROUNDS,
  )
  const rate = (name: keyof typeof rates) => perSecond(median(rates[name]), 'requests')
  const ratio = (name: keyof typeof rates) => `${times(medianRatio(rates[name], rates.bare))} of the bare route`
  return {
    title: `GET /v1/client/config, warm, ${CONNECTIONS} connections, no proxy in front`,
    lines: [
      { what: 'client configuration', figure: rate('config'), ratio: ratio('config'), target: '×0.65' },
      { what: '  bare Hono route behind the key check', figure: rate('key'), ratio: ratio('key'), target: '×0.90' },
      { what: '  Hono route that reads one KV key', figure: rate('kv'), ratio: ratio('kv') },
      { what: '  bare Hono route', figure: rate('bare') },
    ],
  }
}

/** The KV route reads what the configuration answers. */
async function storeSnapshot({ mauve, bench }: Service, headers: Record<string, string>): Promise<void> {
  const response = await fetch(new URL('/v1/client/config', mauve), { headers })
  await fetch(new URL('/kv', bench), { method: 'PUT', body: await response.text() })
}
