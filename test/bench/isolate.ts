import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Answered, Asked } from './asked-columns.ts'

/** What an isolate of the platform has. */
export const ISOLATE_BYTES = 128_000_000
export const ISOLATE_LIMITS = ['--expose-gc', `--max-old-space-size=${ISOLATE_BYTES / 1e6}`]

/** A process with the memory of an isolate that answers questions about the columns of these files. */
export function openIsolate(files: readonly string[]) {
  const child = fork(join(import.meta.dirname, 'asked-columns.ts'), files, {
    execArgv: ISOLATE_LIMITS,
    serialization: 'advanced',
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error('The process that answers ended')
  })
  ended.catch(() => {})
  return {
    async ask(asked: Asked): Promise<Answered> {
      child.send(asked)
      const [answered] = await Promise.race([once(child, 'message'), ended])
      return answered as Answered
    },
    close(): void {
      child.disconnect()
    },
  }
}
