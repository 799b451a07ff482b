import fc from 'fast-check'
import { expect, it } from 'vitest'
import { patternProblem, SOURCE_PARTS } from '../../src/base/sources.ts'
import { buildParameter, linkWith } from '../../src/dashboard/faces/acquisition/start-parameter.ts'
import { holds } from '../support/cases.ts'
import { sourcePart } from '../support/filter-oracle.ts'

const RULES = [
  { pattern: 'ref_{referrer}', set: { source: 'referral' } },
  { pattern: 'ads_{source}-{campaign}_{content}' },
  { pattern: 'ads_{source}' },
  { pattern: 'é{source}' },
]

function build(pattern: string | null, values: object, target: 'mini-app' | 'bot' = 'mini-app', parameter = '') {
  const { text, faults } = buildParameter({ pattern, values, parameter, target }, RULES)
  return { text, faults: Object.fromEntries(faults) }
}

it('fills in the parts of a pattern', () => {
  const values = { source: 'tg', campaign: 'spring', content: 'banner7' }
  expect(build('ads_{source}-{campaign}_{content}', values)).toEqual({ text: 'ads_tg-spring_banner7', faults: {} })
  expect(build(null, {}, 'bot', 'hello')).toEqual({ text: 'hello', faults: {} })
})

it.each<[string, string | null, object, 'mini-app' | 'bot', string, string, RegExp]>([
  ['an empty part', 'ref_{referrer}', { referrer: '' }, 'bot', '', 'referrer', /^Fill in/],
  ['a space', 'ref_{referrer}', { referrer: 'a b' }, 'bot', '', 'referrer', /letters A to Z, digits/],
  ['what erasure leaves of an id', 'ref_{referrer}', { referrer: '0' }, 'bot', '', 'referrer', /erased user/],
  ['letters of other scripts', null, {}, 'bot', 'й', 'parameter', /letters A to Z, digits/],
  ['letters of other scripts in the pattern', 'é{source}', { source: 'a' }, 'bot', '', '', /this pattern has other/],
  ['more than 64 characters for a bot', null, {}, 'bot', 'x'.repeat(65), '', /bot has at most 64 .* has 65/],
  ['more than 512 for a mini-app', null, {}, 'mini-app', 'x'.repeat(513), '', /mini-app has at most 512 .* has 513/],
  [
    'a separator in a part',
    'ads_{source}-{campaign}_{content}',
    { source: 'a-b', campaign: 'c', content: 'd' },
    'bot',
    '',
    '',
    /read the source of this as “a”/,
  ],
  ['an earlier rule', 'ads_{source}', { source: 'a-b_c' }, 'bot', '', '', /^Your rules read this as ads_\{source\}-/],
])('refuses %s', (_, pattern, values, target, parameter, field, sentence) => {
  const { faults } = build(pattern, values, target, parameter)
  expect(faults).toEqual({ [field]: expect.stringMatching(sentence) })
})

it('takes exactly as many characters as the messenger', () => {
  expect(build(null, {}, 'bot', 'x'.repeat(64)).faults).toEqual({})
  expect(build(null, {}, 'mini-app', 'x'.repeat(512)).faults).toEqual({})
})

const word = fc.string({ unit: fc.constantFrom('a', 'b', '-', '_', '1', ' '), maxLength: 6 })
const pattern = fc
  .tuple(fc.array(word, { minLength: 6, maxLength: 6 }), fc.shuffledSubarray([...SOURCE_PARTS]))
  .map(([literals, parts]) => parts.map((part, index) => `${literals[index]}{${part}}`).join('') + literals[5])
  .filter((made) => made !== '' && patternProblem(made) === null)
const values = fc.record(Object.fromEntries(SOURCE_PARTS.map((part) => [part, word])) as Record<string, typeof word>)

it('lets pass only what the rules read as it was filled in, and the messenger takes', async () => {
  let passed = 0
  await holds(
    fc.property(
      fc.array(fc.record({ pattern }), { minLength: 1, maxLength: 3 }),
      fc.nat(),
      values,
      (rules, at, filled) => {
        const { pattern: chosen } = rules[at % rules.length] as { pattern: string }
        const { text, faults } = buildParameter(
          { pattern: chosen, values: filled, parameter: '', target: 'bot' },
          rules,
        )
        if (faults.size > 0) return
        passed += 1
        expect(text).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
        for (const part of SOURCE_PARTS) {
          const isNamed = chosen.includes(`{${part}}`)
          const expected = isNamed ? filled[part] : part === 'source' ? text : null
          expect(sourcePart(text, part, rules), `${text} by ${JSON.stringify(rules)}`).toBe(expected)
        }
      },
    ),
    { atLeast: 2_000, atMost: 20_000 },
  )
  expect(passed).toBeGreaterThan(20)
})

it.each([
  ['https://t.me/lemon_shop_bot/app', 'mini-app', 'https://t.me/lemon_shop_bot/app?startapp=x'],
  ['https://t.me/lemon_shop_bot/app?startapp=old', 'bot', 'https://t.me/lemon_shop_bot?start=x'],
  ['http://telegram.me/lemon_shop_bot/', 'mini-app', 'https://t.me/lemon_shop_bot?startapp=x'],
  ['https://lemon.example/t.me/bot_x', 'bot', null],
  ['https://t.me.evil.example/lemon_bot', 'bot', null],
] as const)('makes of the link %s, for a %s, %s', (link, target, expected) => {
  expect(linkWith(link, 'x', target)).toBe(expected)
})
