import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { version } from '../package.json'
import { version as clientVersion } from '../src/client/package.json'
import { ABOUT } from '../src/http/reference/contract.ts'

const CHANGELOG = readFileSync(join(import.meta.dirname, '..', 'CHANGELOG.md'), 'utf8')

it('has one version, which the newest release in the changelog, the package and the document have', () => {
  const releases = [...CHANGELOG.matchAll(/^## (\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d$/gm)].map(([, number]) => number)
  expect([releases[0], clientVersion, ABOUT.info.version]).toEqual([version, version, version])
})

it('says how to upgrade to each release', () => {
  const releases = CHANGELOG.split(/^## /m)
    .slice(1)
    .filter((text) => !text.startsWith('Unreleased'))
  expect(releases.length).toBeGreaterThan(0)
  for (const text of releases) expect(text).toContain('\n### How to upgrade\n')
})
