import { deliver } from './demo/delivery.ts'
import { type Span, spanOf } from './demo/history.ts'
import { recallCrowd, rememberCrowd } from './demo/memory.ts'
import { HELP, type Options, readOptions } from './demo/options.ts'
import { count, Progress } from './demo/progress.ts'
import { requireService, sendEvents } from './demo/service.ts'
import { countEvents, fitCrowd, type Size } from './demo/size.ts'
import { runCommand } from './failure.ts'

/** What shells make of a process ended by Ctrl-C. */
const INTERRUPTED = 130

await runCommand(demo)

async function demo(): Promise<void> {
  const options = await readOptions(process.argv.slice(2), process.env.PORT || undefined)
  if (options === null) return console.log(HELP)
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  await fill(options, stop.signal).catch((error) => {
    if (!stop.signal.aborted) throw error
    console.log('Stopped. Run it again to go on: nothing is counted twice.')
    process.exitCode = INTERRUPTED
  })
}

async function fill(options: Options, signal: AbortSignal): Promise<void> {
  await requireService(options, signal)
  const now = Date.now()
  console.log(`Working out about ${count(options.events)} events over ${options.days} days …`)
  const { crowd, total } = await sizeOf(options, { now, signal })
  console.log(`Sending ${count(total)} events to ${options.url}; Ctrl-C stops, running it again goes on.`)
  await send(options, { span: spanOf({ days: options.days, now, crowd }), total, signal })
}

async function sizeOf(options: Options, { now, signal }: { now: number; signal: AbortSignal }): Promise<Size> {
  const { events, days } = options
  const known = await recallCrowd(options)
  if (known) return { crowd: known, total: await countEvents(spanOf({ days, now, crowd: known }), signal) }
  const size = await fitCrowd({ events, days, now, signal })
  await rememberCrowd(options, size.crowd)
  return size
}

interface Sending {
  readonly span: Span
  readonly total: number
  readonly signal: AbortSignal
}

async function send(options: Options, { span, total, signal }: Sending): Promise<void> {
  const progress = new Progress(total)
  try {
    await deliver(span, {
      send: (events, either) => sendEvents(options, events, either),
      onSent: (sent) => progress.add(sent),
      signal,
    })
  } finally {
    progress.end()
  }
  console.log(`Sent ${progress.summary()}. What was there already is not counted again.`)
  console.log('All of it shows in the figures within two minutes.')
}
