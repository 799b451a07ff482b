import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { request } from './client.ts'

export interface Connecting {
  readonly key: string
  /** How the key is sent. */
  readonly header?: 'authorization' | 'x-api-key'
  readonly headers?: Readonly<Record<string, string>>
  readonly path?: string
  /** The newest version of the protocol, or those before it, which begin with a handshake. */
  readonly era?: 'modern' | 'legacy'
  readonly ask?: typeof request
}

/** The official client, connected to the service as an assistant is. */
export async function connectAssistant(connecting: Connecting): Promise<Client> {
  const { key, header = 'authorization', headers = {}, path = '/mcp', era = 'modern', ask = request } = connecting
  const versionNegotiation = { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } as const
  const client = new Client({ name: 'assistant', version: '1' }, { versionNegotiation })
  const transport = new StreamableHTTPClientTransport(new URL(`https://mauve.test${path}`), {
    fetch: (address, init) => {
      const { pathname, search } = new URL(String(address))
      return ask(pathname + search, init)
    },
    requestInit: { headers: { [header]: header === 'authorization' ? `Bearer ${key}` : key, ...headers } },
  })
  await client.connect(transport)
  return client
}

export type Tool = Awaited<ReturnType<Client['listTools']>>['tools'][number]

export async function toolsOf(client: Client): Promise<Tool[]> {
  return (await client.listTools()).tools
}

/** What a tool answers: its JSON, its text, and whether it is an error. */
export async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const result: CallToolResult = await client.callTool({ name, arguments: args })
  const { structuredContent: json, isError = false, _meta: notes = {} } = result
  return {
    json,
    isError,
    notes,
    text: result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
  }
}
