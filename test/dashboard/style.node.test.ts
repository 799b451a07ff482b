import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const DASHBOARD = join(import.meta.dirname, '../../src/dashboard')

function textsOf(ending: RegExp): [file: string, text: string][] {
  const files = readdirSync(DASHBOARD, { recursive: true, encoding: 'utf8' }).filter((file) => ending.test(file))
  return files.map((file) => [file, readFileSync(join(DASHBOARD, file), 'utf8')])
}

/** The words in quotes, including names of classes. Of `heat-${share}`, the part before the number. */
function quotedWords(): Set<string> {
  const texts = textsOf(/\.tsx?$/).map(([, text]) => text.replaceAll(/^import .*$/gm, ''))
  const quoted = texts.flatMap((text) => text.match(/"[^"\n]*"|'[^'\n]*'|`[^`]*`|classList\.\w+\([^)]*\)/g) ?? [])
  // A name with a dot is that of a script.
  return new Set(quoted.flatMap((text) => text.match(/[\w-]+(?![\w-]*\.[jt]s)/g) ?? []))
}

it('the style sheet has no class that no page has', () => {
  const words = quotedWords()
  // The library that draws plots gives its elements classes of its own.
  const isOfPlots = (name: string) => /^u-|^uplot$/.test(name)
  const isUsed = (name: string) => words.has(name) || words.has(name.replace(/\d+$/, '')) || isOfPlots(name)
  const unused = textsOf(/\.css$/).flatMap(([file, text]) => {
    const names = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/\.(-?[a-zA-Z_][\w-]*)/g)
    return [...new Set([...names].map(([, name = '']) => name))]
      .filter((name) => !isUsed(name))
      .map((name) => `${file}: .${name}`)
  })
  expect(unused).toEqual([])
})
