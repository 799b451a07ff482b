import type { Mutant } from './mutant.ts'

/** Pages. */
export const dashboard: readonly Mutant[] = [
  {
    name: 'previous-period-as-this-one',
    promise: 'a page shows the figures of its period',
    from: 'if (period) return toQuery(period)',
    to: 'if (period) return toQuery({ from: 2 * period.from - period.to - 1, to: period.from - 1 })',
    test: 'test/dashboard/events-and-funnels.test.ts',
    title: 'by day as the API answers them',
  },
  {
    name: 'card-without-the-open-day',
    promise: 'a card says which day is not over',
    from: 'const open = isOpen ? openPlace(lines) : -1 const labels',
    to: 'const open = isOpen ? -1 : -1\n  const labels',
    test: 'test/dashboard/declared-figures.test.ts',
    title: 'an interval that is not over is dashed and named so',
  },
  {
    name: 'group-of-few-users-on-a-link',
    promise: 'a link shows no group of fewer than five users',
    from: 'const enough = groups.filter(({ users }) => users === null || users >= MIN_USERS)',
    to: 'const enough = groups.filter(({ users }) => users === null || users > 0)',
    test: 'test/dashboard/shares-attacked.test.ts',
    title: 'a group of fewer than five users is on no shared report',
  },
  {
    name: 'group-that-subtraction-reveals',
    promise: 'a total less what a link shows is never of few users',
    from: 'return enough.filter((_, place) => place !== dropped)',
    to: 'return dropped < 0 ? [] : enough',
    test: 'test/dashboard/shares-attacked.test.ts',
    title: 'not even by subtraction from the total',
  },
  {
    name: 'text-of-a-visitor-on-a-link',
    promise: 'a link shows only countries and languages that exist',
    from: "(name === 'country' ? isCountry(value) : name === 'language' ? isLanguage(value) : SHORT_WORDS.test(value))",
    to: 'SHORT_WORDS.test(value)',
    test: 'test/dashboard/shares-attacked.test.ts',
    title: 'no text of a visitor appears in a link',
  },
  {
    name: 'form-of-another-site',
    promise: 'a form of another site changes nothing',
    from: 'pages.use(path, asPage, trimTrailingSlash(), csrf(), limitBody)',
    to: 'pages.use(path, asPage, trimTrailingSlash(), limitBody)',
    test: 'test/dashboard/settings.test.ts',
    title: 'a form from elsewhere changes nothing',
  },
  {
    name: 'viewer-who-changes',
    promise: 'a viewer changes nothing',
    from: 'function requireChange({ canChange }: Visitor): void { if (!canChange)',
    to: 'function requireChange({ canChange }: Visitor): void {\n  if (canChange === null)',
    test: 'test/dashboard/settings.test.ts',
    title: 'viewers change nothing, and are shown no form',
  },
]
