import fc from 'fast-check'
import { expect, it } from 'vitest'
import { partsOfPattern, patternProblem, SOURCE_PARTS, sourceReader } from '../../src/base/sources.ts'
import { holds } from '../support/cases.ts'
import { sourcePart } from '../support/filter-oracle.ts'

it('reads the examples of the specification', () => {
  const read = sourceReader([
    { pattern: 'ref_{referrer}', set: { source: 'referral' } },
    { pattern: 'ads_{source}-{campaign}_{content}' },
    { pattern: 'tgads-{campaign}', set: { source: 'Telegram Ads', medium: 'cpc' } },
  ])
  expect(read('ads_tg-spring_banner7')).toEqual({
    rule: 1,
    values: { source: 'tg', campaign: 'spring', content: 'banner7' },
  })
  expect(read('ref_7234567890')).toEqual({ rule: 0, values: { source: 'referral', referrer: '7234567890' } })
  expect(read('tgads-')).toEqual({ rule: -1, values: { source: 'tgads-' } })
  expect(read('Ref_1')).toEqual({ rule: -1, values: { source: 'Ref_1' } })
})

/** Few different characters, so that separators occur within parts, and twice. */
const literal = fc.string({ unit: fc.constantFrom('a', 'b', '-', '_', '{', '}', '.', '('), maxLength: 3 })
const text = fc.string({
  unit: fc.constantFrom('a', 'b', '-', '_', '{', '}', '.', '(', '😀'),
  minLength: 1,
  maxLength: 12,
})
const pattern = fc
  .tuple(fc.array(literal, { minLength: 6, maxLength: 6 }), fc.shuffledSubarray([...SOURCE_PARTS]))
  .map(([literals, parts]) => parts.map((part, index) => `${literals[index]}{${part}}`).join('') + literals[5])
  .filter((made) => made !== '' && patternProblem(made) === null)

it('matches as the laziest of regular expressions does', async () => {
  await holds(
    fc.property(
      fc.array(fc.record({ pattern }), { maxLength: 4 }),
      fc.array(text, { minLength: 5 }),
      (rules, texts) => {
        const read = sourceReader(rules)
        for (const one of texts) {
          for (const part of SOURCE_PARTS)
            expect(read(one).values[part] ?? null, one).toBe(sourcePart(one, part, rules))
        }
      },
    ),
    { atLeast: 300, atMost: 20_000 },
  )
})

it('takes no longer for a text that nearly matches', () => {
  const read = sourceReader([{ pattern: `${SOURCE_PARTS.map((part) => `{${part}}`).join('-')}x` }])
  const began = performance.now()
  for (let round = 0; round < 1_000; round++) expect(read('-'.repeat(512)).rule).toBe(-1)
  expect(performance.now() - began).toBeLessThan(1_000)
})

it('names the fault of a pattern', () => {
  expect(patternProblem('{source}_{source}')).toMatch(/only once/)
  expect(patternProblem('a{source}{medium}')).toMatch(/between \{source\} and \{medium\}/)
  expect(patternProblem('ref_{refferer}-{medium}')).toMatch(/^\{refferer\} is not a part .*\{referrer\}$/)
  expect(patternProblem('{}')).toMatch(/^\{\} is not/)
  expect(patternProblem('{{source}}')).toBeNull()
  expect(patternProblem('a}_{_{source}-{medium}')).toBeNull()
  expect(partsOfPattern('a_{medium}-{referrer}')).toEqual(['medium', 'referrer'])
})
