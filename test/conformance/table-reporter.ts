import { readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { SPECIFICATION } from './rows.ts'

const FOLDER = import.meta.dirname
const NAMED = Object.values(SPECIFICATION)
  .flatMap((rows) => Object.values(rows))
  .flatMap((proof) => (typeof proof === 'string' ? [] : proof))
  .map(({ file, title }) => `${file} > ${title}`)

/**
 * Holds the tests that the table of the specification names against the tests there are, and fails the run where one does not
 * exist. It can tell only after a run that collected this whole folder, so it says nothing after a part of it.
 */
export class TableReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const unknown = findUnknown(modules.filter(isInFolder))
    if (unknown.length === 0) return
    console.error(`\ntest/conformance/rows.ts names tests that do not exist:\n${unknown.map(toLine).join('')}`)
    process.exitCode = 1
  }
}

function isInFolder({ moduleId }: TestModule): boolean {
  return dirname(moduleId) === FOLDER
}

/** Names without a test; none where a file was not run, or could not be collected: then nobody knows its tests. */
function findUnknown(modules: readonly TestModule[]): string[] {
  const tests = new Map(modules.map((module) => [basename(module.moduleId), titlesOf(module)]))
  const isWhole = listFiles().every((file) => tests.get(file)?.length)
  if (!isWhole) return []
  const existing = new Set([...tests].flatMap(([file, titles]) => titles.map((title) => `${file} > ${title}`)))
  return [...new Set(NAMED)].filter((name) => !existing.has(name))
}

function titlesOf({ children }: TestModule): string[] {
  return [...children.allTests()].map(({ fullName }) => fullName)
}

function listFiles(): string[] {
  return readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts'))
}

function toLine(name: string): string {
  return `  ${name}\n`
}
