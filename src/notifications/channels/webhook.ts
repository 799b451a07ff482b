import { createHmac } from 'node:crypto'
import { problemOfSpelling, resolvesTo } from './public-address.ts'
import { type SendingResult, shortened } from './sending.ts'

export const TIMEOUT_MS = 15_000
/** Four bytes for each character that is stored. */
const MAX_ANSWER_BYTES = 800
const SECRET_PREFIX = 'whsec_'

interface WebhookMessage {
  readonly url: string
  /** Each of them signs. */
  readonly secrets: readonly string[]
  /** Equal for each try, so that a receiver can tell that it has the message already. */
  readonly id: string
  readonly body: string
  readonly now: number
}

interface Outside {
  readonly fetch: typeof globalThis.fetch
  /** `WEBHOOK_PORTS` of the deployment. */
  readonly ports: string | undefined
}

/** Posts a message, signed as https://www.standardwebhooks.com describes. Redirects are not followed. */
export async function sendToWebhook(
  { url, secrets, id, body, now }: WebhookMessage,
  { fetch, ports }: Outside,
): Promise<SendingResult> {
  const refused = (answer: string) => ({ kind: 'refused', httpStatus: null, answer, isOff: true }) as const
  const problem = problemOfSpelling(url, ports)
  if (problem !== null) return refused(`The address is refused: ${problem}.`)
  const network = await resolvesTo(new URL(url).hostname, fetch)
  if (network === 'private') return refused('The address is of a private network.')
  if (network === 'unknown')
    return { kind: 'later', httpStatus: null, answer: 'The name of the address was not found.' }
  const timestamp = String(Math.floor(now / 1000))
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Mauve',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': secrets.map((secret) => signatureOf(secret, `${id}.${timestamp}.${body}`)).join(' '),
      },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { status: httpStatus } = response
    const answer = await beginningOf(response)
    if (httpStatus >= 200 && httpStatus < 300) return { kind: 'sent', httpStatus, answer }
    // Standard Webhooks: 410 asks to stop.
    if (httpStatus === 410) return { kind: 'refused', httpStatus, answer, isOff: true }
    return { kind: 'later', httpStatus, answer }
  } catch {
    return { kind: 'later', httpStatus: null, answer: 'The address did not answer.' }
  }
}

function signatureOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

/** Reads no more of an answer than is stored. */
async function beginningOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader()
  for (let length = 0; reader && length < MAX_ANSWER_BYTES; ) {
    const { value, done } = await reader.read()
    if (done) break
    chunks.push(value)
    length += value.length
  }
  await reader?.cancel()
  return shortened(Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8'))
}
