import { deliver } from './delivery.ts'
import { history } from './history.ts'
import { type DemoOptions, HELP, readOptions } from './options.ts'
import { requireService, sendEvents } from './service.ts'

/** What shells make of a process ended by Ctrl-C. */
const INTERRUPTED = 130

/** Throws `CommandFailure`. */
export async function demo(args: string[]): Promise<void> {
  const options = await readOptions(args, process.env.PORT || undefined)
  if (options === null) return console.log(HELP)
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupted.abort())
  const failed = new AbortController()
  try {
    await sendHistory(options, AbortSignal.any([interrupted.signal, failed.signal]))
  } catch (error) {
    failed.abort()
    if (!interrupted.signal.aborted) throw error
    console.log('\nStopped. Run it again to continue: nothing is counted twice.')
    process.exitCode = INTERRUPTED
  }
}

async function sendHistory(options: DemoOptions, signal: AbortSignal): Promise<void> {
  const { address, events, days } = options
  const service = { ...options, signal }
  await requireService(service)
  console.log(
    `Sending about ${count(events)} events of ${days} days to ${address}. Stop with Ctrl-C; run again to continue.`,
  )
  const start = performance.now()
  let sent = 0
  await deliver(history({ events, days, now: Date.now() }), {
    send: (some) => sendEvents(service, some),
    onSent: (number) => {
      sent += number
      showProgress(sent, { before: sent - number, events })
    },
    signal,
  })
  const seconds = Math.ceil((performance.now() - start) / 1000)
  console.log(`\nSent ${count(sent)} events in ${seconds} s. Events that were stored already are not counted again.`)
  console.log('All figures are complete within two minutes.')
}

interface Aim {
  /** How many were sent before. */
  readonly before: number
  /** About how many there are. */
  readonly events: number
}

/** The same line again and again in a terminal; elsewhere a line for every tenth. */
function showProgress(sent: number, { before, events }: Aim): void {
  const line = `${Math.min(Math.floor((100 * sent) / events), 99)} %, ${count(sent)} of about ${count(events)} events`
  if (process.stdout.isTTY) process.stdout.write(`\r${line}`)
  else if (Math.floor((10 * before) / events) < Math.floor((10 * sent) / events)) console.log(line)
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}
