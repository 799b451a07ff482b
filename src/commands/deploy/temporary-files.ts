import { rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export interface TemporaryFile {
  readonly path: string
  readonly text: string
}

interface Files {
  readonly files: readonly TemporaryFile[]
  /** What is to be said where a signal ends the process meanwhile. */
  readonly onSignal: () => void
}

/** The files are there, and nobody else reads them, while the work is done; not even a signal leaves them behind. */
export async function withFiles<Result>({ files, onSignal }: Files, work: () => Promise<Result>): Promise<Result> {
  const end = (signal: NodeJS.Signals) => {
    remove(files)
    onSignal()
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of SIGNALS) process.on(signal, end)
  try {
    for (const { path, text } of files) writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
    return await work()
  } finally {
    remove(files)
    for (const signal of SIGNALS) process.off(signal, end)
  }
}

function remove(files: readonly TemporaryFile[]): void {
  for (const { path } of files) rmSync(path, { force: true })
}
