import { expect } from 'vitest'
import { getJson, request } from './client.ts'

/** The lines of an export but the last one, which says that nothing is left. */
export async function exportLines(path: string, key: string): Promise<string[]> {
  const { lines, end } = await readExport(path, key)
  expect(end.complete).toBe(true)
  return lines
}

/** An export: its lines, and what the last one says. */
export async function readExport(path: string, key: string) {
  const response = await getJson(path, key)
  expect(response.status).toBe(200)
  // `text()` logs a warning for a type that it takes for no text.
  const lines = new TextDecoder().decode(await response.arrayBuffer()).split('\n')
  expect(lines.pop()).toBe('')
  const end: { cursor: string | null; complete: boolean } = JSON.parse(lines.pop() ?? '')
  return { lines, end, headers: response.headers }
}

export interface Imported {
  readonly stored: number
  readonly known: number
  readonly refused: readonly { readonly line: number; readonly reason: string }[]
}

export async function importText(body: string, key: string): Promise<Imported> {
  const headers = { 'x-api-key': key, 'content-type': 'application/x-ndjson' }
  const response = await request('/import/events', { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  const { stored, known, refused } = await response.json<Imported>()
  return { stored, known, refused }
}
