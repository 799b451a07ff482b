import { deliver } from '../demo/delivery.ts'
import { history } from '../demo/history.ts'
import { HELP, type Options, readOptions } from '../demo/options.ts'
import { requireService, sendEvents } from '../demo/service.ts'
import { runCommand } from './failure.ts'

/** What shells make of a process ended by Ctrl-C. */
const INTERRUPTED = 130

await runCommand(demo)

async function demo(): Promise<void> {
  const options = await readOptions(process.argv.slice(2), process.env.PORT || undefined)
  if (options === null) return console.log(HELP)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())
  await send(options, stop.signal).catch((error) => {
    if (!stop.signal.aborted) throw error
    console.log('\nStopped. Run it again to go on: nothing is counted twice.')
    process.exitCode = INTERRUPTED
  })
}

async function send(options: Options, signal: AbortSignal): Promise<void> {
  const { url, events, days } = options
  await requireService(options, signal)
  console.log(
    `Sending about ${count(events)} events of ${days} days to ${url}; Ctrl-C stops, running it again goes on.`,
  )
  const start = performance.now()
  let sent = 0
  await deliver(history({ events, days, now: Date.now() }), {
    send: (some, either) => sendEvents(options, some, either),
    onSent: (number) => {
      sent += number
      showProgress(sent, { before: sent - number, events })
    },
    signal,
  })
  const seconds = Math.ceil((performance.now() - start) / 1000)
  console.log(`\nSent ${count(sent)} events in ${seconds} s. What was there already is not counted again.`)
  console.log('All of it shows in the figures within two minutes.')
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
