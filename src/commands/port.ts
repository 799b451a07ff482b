import { createServer } from 'node:net'
import { CommandFailure } from './failure.ts'

export const DEFAULT_PORT = 8787

/** Throws `CommandFailure`. */
export function readPort(text = String(DEFAULT_PORT)): number {
  const port = /^\d+$/.test(text) ? Number(text) : 0
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new CommandFailure(`PORT is "${text}", but must be a whole number from 1 to 65535.`)
}

/** Throws `CommandFailure` where the service could not listen. */
export async function requireFreePort(port: number): Promise<void> {
  for (const host of ['127.0.0.1', '::1']) {
    const problem = await tryToListen(port, host)
    if (problem === 'EADDRINUSE') {
      throw new CommandFailure(
        `Port ${port} is in use. Stop the program that uses it, or choose another: PORT=${port + 1} npm start`,
      )
    }
    if (problem === 'EACCES')
      throw new CommandFailure(`Port ${port} needs more rights. Choose one above 1023: PORT=8787 npm start`)
  }
}

function tryToListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}
