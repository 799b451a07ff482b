import { expect, it } from 'vitest'
import { periodFaults } from '../../../src/questions/engine/period.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const access = { accountId: '', plan: 'standard', scope: 'read', keyHash: '', onlyApplicationId: null } as const
const ASKER = { access: { ...access, application: null }, now: NOW }

it.each([
  [{ start: '20261122', end: '20261121' }, 'after the end'],
  [{ start: '20261121' }, 'after the end'],
  [{ start: '20251119' }, '366 days'],
  [{ start: '20240101', end: '20250101' }, '366 days'],
])('rejects the period %j at its start', (asked: Record<string, string>, problem) => {
  expect(periodFaults(asked, ASKER)).toMatchObject([{ loc: ['query', 'start'], type: 'value_error' }])
  expect(periodFaults(asked, ASKER)[0]?.msg).toContain(problem)
})

it.each<Record<string, string>>([
  {},
  { start: '20251120' },
  { start: '20261120' },
  { start: '20240101', end: '20241231' },
  { start: 'x', end: '20241231' },
  { start: '20261121', end: '20260231' },
])('accepts the period %j', (asked) => {
  expect(periodFaults(asked, ASKER)).toEqual([])
})
