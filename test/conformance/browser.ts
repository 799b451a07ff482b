import { expect } from 'vitest'

const ORIGIN = 'https://shop.example'
const USER_AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'

interface CrossOriginRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Record<string, string>
  readonly body?: string
}

/** Does what a browser does for a page of another origin: asks first, sends only what it may, and checks the answer. */
export async function fetchCrossOrigin(url: string, { method, headers, body }: CrossOriginRequest): Promise<Response> {
  await askFirst(url, method, Object.keys(headers))
  const init = { method, headers: { ...headers, origin: ORIGIN, 'user-agent': USER_AGENT } }
  const response = await fetch(url, body === undefined ? init : { ...init, body })
  expectReadable(response)
  return response
}

async function askFirst(url: string, method: string, headers: readonly string[]): Promise<void> {
  const answer = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin: ORIGIN,
      'user-agent': USER_AGENT,
      'access-control-request-method': method,
      'access-control-request-headers': headers.join(',').toLowerCase(),
    },
  })
  expect([200, 204]).toContain(answer.status)
  expectReadable(answer)
  expect(namesIn(answer, 'access-control-allow-methods')).toContain(method.toLowerCase())
  // `*` stands for all of them but `authorization`; this service names them.
  expect(namesIn(answer, 'access-control-allow-headers')).toEqual(
    expect.arrayContaining(headers.map((name) => name.toLowerCase())),
  )
  expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThanOrEqual(600)
}

function namesIn(answer: Response, header: string): string[] {
  return (answer.headers.get(header) ?? '').toLowerCase().split(/\s*,\s*/)
}

export function expectReadable(answer: Response): void {
  expect(['*', ORIGIN]).toContain(answer.headers.get('access-control-allow-origin'))
}
