import { connect, type Socket } from 'node:net'

export interface Load {
  readonly address: URL
  /** The bytes of the next request, or null if there is none left. */
  readonly next: () => Buffer | null
  readonly connections: number
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** Sends requests over kept-alive connections, one at a time on each; gives answers a second. Rejects on any other than a 200. */
export async function load({ address, next, connections }: Load): Promise<number> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(address)))
  const start = performance.now()
  try {
    const answers = await Promise.all(sockets.map((socket) => converse(socket, next)))
    return (answers.reduce((sum, count) => sum + count, 0) / (performance.now() - start)) * 1000
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** Gives the same request until the time is over. */
export function repeatFor(milliseconds: number, request: Buffer): Load['next'] {
  const end = performance.now() + milliseconds
  return () => (performance.now() < end ? request : null)
}

export interface RequestParts {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The bytes of a request; a POST where it has a body. */
export function toRequest(address: URL, { path, headers = {}, body }: RequestParts): Buffer {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ host: address.host, ...headers, ...length }).map((pair) => `${pair.join(': ')}\r\n`)
  return Buffer.from(`${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`)
}

function open(address: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address.hostname, port: Number(address.port), noDelay: true })
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })
}

/** Asks and waits for the answer until there is nothing left to ask; gives the number of answers. */
function converse(socket: Socket, next: Load['next']): Promise<number> {
  return new Promise((resolve, reject) => {
    let answers = 0
    let received: Buffer = Buffer.alloc(0)
    const ask = () => {
      const request = next()
      if (request) socket.write(request)
      else resolve(answers)
    }
    socket.on('data', (data) => {
      received = received.length === 0 ? data : Buffer.concat([received, data])
      if (!isWhole(received)) return
      if (!isSuccess(received)) return reject(new Error(`Answered ${received.toString('latin1').slice(0, 500)}`))
      received = Buffer.alloc(0)
      answers += 1
      ask()
    })
    socket.once('error', reject).once('close', () => reject(new Error('The connection was closed')))
    ask()
  })
}

function isWhole(answer: Buffer): boolean {
  const headEnd = answer.indexOf(HEAD_END)
  if (headEnd < 0) return false
  const length = /content-length: (\d+)/i.exec(answer.toString('latin1', 0, headEnd))
  return length !== null && answer.length >= headEnd + HEAD_END.length + Number(length[1])
}

function isSuccess(answer: Buffer): boolean {
  return answer.toString('latin1', 0, 12) === 'HTTP/1.1 200'
}
