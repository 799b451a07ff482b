import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const CLIENT = join(import.meta.dirname, '..', '..', 'src', 'client')

/** The package itself is built, installed and used by `package.deployed.test.ts`. */
it('each export of the package has a source and names its types, and nothing that it needs is installed with it', () => {
  const manifest = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'))
  const { './package.json': itself, ...entries } = manifest.exports as Record<string, unknown>
  expect(itself).toBe('./package.json')
  expect(Object.keys(entries)).toEqual(['.', './react', './bot', './api'])
  for (const entry of Object.values(entries) as { types: string; default: string }[]) {
    const [, module = ''] = /^\.\/dist\/(.+)\.js$/.exec(entry.default) ?? []
    expect(entry).toEqual({ types: `./dist/${module}.d.ts`, default: `./dist/${module}.js` })
    const sources = ['.ts', '.tsx'].map((ending) => join(CLIENT, module + ending))
    expect(sources.filter((source) => existsSync(source))).toHaveLength(1)
  }
  expect(manifest.files).toEqual(['dist'])
  expect(manifest.dependencies).toBeUndefined()
  expect(Object.keys(manifest.peerDependenciesMeta).toSorted()).toEqual(
    Object.keys(manifest.peerDependencies).toSorted(),
  )
})
