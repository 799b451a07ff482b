import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { call } from './client.ts'

const LINTER = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
/** Nothing is sent to anyone, nor asked. */
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' }

it('the document passes the strict rules of a public linter', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mauve-document-'))
  try {
    const file = join(folder, 'openapi.json')
    await writeFile(file, await (await call('/openapi.json')).text())
    const lint = promisify(execFile)(process.execPath, [LINTER, 'lint', '--extends', 'recommended-strict', file], {
      cwd: folder,
      env: { ...process.env, ...QUIET },
    })
    const { stdout, stderr } = await lint.catch((error: { stdout: string; stderr: string }) => error)
    expect(stdout + stderr).toContain('Your API description is valid.')
    expect(stdout + stderr).not.toMatch(/\b(warning|error)s?\b/i)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
