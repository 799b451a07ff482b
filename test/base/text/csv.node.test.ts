import { expect, it } from 'vitest'
import { toCsv } from '../../../src/base/text/csv.ts'

/** What follows the mark that tells spreadsheets it is UTF-8. */
function linesOf(csv: string): string {
  expect(csv.startsWith('\ufeff')).toBe(true)
  return csv.slice(1)
}

it('quotes what RFC 4180 asks for', () => {
  const rows = [
    ['day', 'a, b', 'say "hi"', 'two\r\nlines', ''],
    ['2026-11-21', 1, 0.5, -2, 1e21],
  ]
  expect(linesOf(toCsv(rows))).toBe('day,"a, b","say ""hi""","two\r\nlines",\r\n2026-11-21,1,0.5,-2,1e+21\r\n')
})

it('keeps spreadsheets from running a name', () => {
  const names = ['=1+1', '+1', '-1', '@sum', '\tx', '\n=1', '＝1', '=HYPERLINK("x","y")', 'a=b', '🍋']
  expect(linesOf(toCsv([names]))).toBe(`'=1+1,'+1,'-1,'@sum,'\tx,"'\n=1",'＝1,"'=HYPERLINK(""x"",""y"")",a=b,🍋\r\n`)
})
