import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { request } from './client.ts'

interface Connecting {
  readonly key: string
  /** How the key is sent. */
  readonly header?: 'authorization' | 'x-api-key'
  readonly headers?: Readonly<Record<string, string>>
  readonly path?: string
  /** The newest version of the protocol, or the ones before it that begin with a handshake. */
  readonly era?: 'modern' | 'legacy'
}

/** The official client, connected to the service as an assistant is. */
export async function connectAssistant(connecting: Connecting): Promise<Client> {
  const { key, header = 'authorization', headers = {}, path = '/mcp', era = 'modern' } = connecting
  const versionNegotiation = { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } as const
  const client = new Client({ name: 'assistant', version: '1' }, { versionNegotiation })
  const transport = new StreamableHTTPClientTransport(new URL(`https://mauve.test${path}`), {
    fetch: async (address, init) => {
      const { pathname, search } = new URL(String(address))
      return request(pathname + search, init)
    },
    requestInit: { headers: { [header]: header === 'authorization' ? `Bearer ${key}` : key, ...headers } },
  })
  await client.connect(transport)
  return client
}
