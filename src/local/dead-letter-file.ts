import { open } from 'node:fs/promises'
import { OWNER_ONLY_FILE } from '../commands/private-files.ts'

/** Returns a function that appends a line to the file and returns when it is on disk. */
export function deadLetterFile(path: string): (body: string) => Promise<void> {
  let last = Promise.resolve()
  return (body) => {
    const appended = last.then(() => append(path, body))
    last = appended.catch(() => undefined)
    return appended
  }
}

async function append(path: string, body: string): Promise<void> {
  const file = await open(path, 'a', OWNER_ONLY_FILE)
  try {
    // The line break first as well: a process that was killed may have left half a line.
    await file.write(`\n${JSON.stringify({ at: new Date().toISOString(), body })}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}
