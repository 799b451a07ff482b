import type { Mutant } from './mutant.ts'

/** Assistants. */
export const assistants: readonly Mutant[] = [
  {
    name: 'figures-of-a-single-user',
    promise: 'a key without persons gets no answer about filters that match one user',
    from: 'if (yValues[0].key_value === 1)',
    to: 'if (yValues[0].key_value === 0)',
    test: 'test/assistants/persons.test.ts',
    title: 'asks nothing about a single user by the filters of one series',
  },
  {
    name: 'finds-an-id-digit-by-digit',
    promise: 'a key without persons cannot search masked values for digits',
    from: "const SEARCHING = ['contains', 'does not contain',",
    to: "const SEARCHING = ['does not contain',",
    test: 'test/assistants/persons.test.ts',
    title: 'finds no id digit by digit',
  },
  {
    name: 'assistant-in-a-page-of-another-site',
    promise: 'a page of another site opens nothing to an assistant',
    from: 'if (origin === undefined || origin === new URL(c.req.url).origin) return next()',
    to: 'if (origin === undefined || origin !== null) return next()',
    test: 'test/assistants/access.test.ts',
    title: 'opens nothing to a page of another site',
  },
]
