import { describe, expect, it } from 'vitest'
import { shownWindow, windowInWords, withWindowSeconds } from '../../src/dashboard/faces/funnels/window.ts'

/** What a form leads to that was sent with these fields. */
function ledTo(fields: Record<string, string>): string | null {
  const url = withWindowSeconds(new URL(`https://mauve.test/funnels?${new URLSearchParams(fields)}`))
  return url && decodeURIComponent(url.search)
}

describe('the window of a funnel', () => {
  it.each([
    ['30', 'days', 2_592_000],
    ['1.5', 'hours', 5_400],
    ['90', 'seconds', 90],
    ['0', 'minutes', 0],
    ['400', 'days', 34_560_000],
  ])('a window of %s %s goes into the address as %i seconds', (amount, unit, seconds) => {
    const fields = { events: 'a', 'window-amount': amount, 'window-unit': unit, window_seconds: '7' }
    expect(ledTo(fields)).toBe(`?events=a&window_seconds=${seconds}`)
  })

  it('a window that is not a number is left for the operation to refuse, and an empty one for its default', () => {
    expect(ledTo({ 'window-amount': 'long', 'window-unit': 'days' })).toBe('?window_seconds=long')
    expect(ledTo({ 'window-amount': '0x10', 'window-unit': 'days' })).toBe('?window_seconds=0x10')
    expect(ledTo({ 'window-amount': ' ', 'window-unit': 'days' })).toBe('')
    expect(ledTo({ window_seconds: '60' })).toBeNull()
  })

  it.each([
    [null, '30', 'days', '30 days'],
    ['86400', '1', 'days', '1 day'],
    ['90000', '25', 'hours', '25 hours'],
    ['5400', '90', 'minutes', '90 minutes'],
    ['61', '61', 'seconds', '61 seconds'],
    ['long', 'long', 'seconds', 'long seconds'],
  ])('a window of %s is shown as %s %s', (asked, amount, unit, words) => {
    expect(shownWindow(asked)).toEqual({ amount, unit })
    expect(windowInWords(asked)).toBe(words)
  })
})
