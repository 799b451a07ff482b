import type { Mutant } from './mutant.ts'

/** Activity as columns, and filters over them. */
export const columns: readonly Mutant[] = [
  {
    name: 'swaps-two-objects-ranges',
    promise: 'each object has the users of its own range',
    from: 'return count === 1 ? sql`true` : sql`e.telegram_id % ${count} = ${part}`',
    to: 'return count === 1 ? sql`true` : sql`e.telegram_id % ${count} = ${part ^ 1}`',
    test: 'test/object/partitionings.test.ts',
    title: 'answers the same while users are spread',
  },
  {
    name: 'one-filter-of-two',
    promise: 'all filters must hold',
    from: 'mask = joined(mask, own)',
    to: 'mask = own',
    test: 'test/questions/event-segments/counting.node.test.ts',
  },
  {
    name: 'missing-value-is-not-negated',
    promise: 'a missing value satisfies the negated operators',
    from: "if (operator === 'is not') passing.fill(1)",
    to: "if (operator === 'is not') passing.fill(1, 1)",
    test: 'test/questions/event-segments/counting.node.test.ts',
  },
  {
    name: 'numbers-in-the-order-of-texts',
    promise: 'orderings compare two numbers as numbers',
    from: 'if (!isNumber(text)) return isMeantOf(text, values)',
    to: 'if (text !== null) return isMeantOf(text, values)',
    test: 'test/questions/filters/matching.node.test.ts',
  },
  {
    name: 'set-that-lacks-something',
    promise: '`set is` holds for exactly the given values',
    from: 'return items.size === wanted.size && [...items].every((item) => wanted.has(item))',
    to: 'return [...items].every((item) => wanted.has(item))',
    test: 'test/questions/filters/matching.node.test.ts',
  },
  {
    name: 'session-ends-after-exactly-30-minutes',
    promise: 'a pause of exactly 30 minutes continues a session',
    from: 'if (time - last > SESSION_GAP_MS) { if (start !== NEVER) this.#add',
    to: 'if (time - last >= SESSION_GAP_MS) { if (start !== NEVER) this.#add',
    test: 'test/questions/sessions/counting.node.test.ts',
  },
  {
    name: 'session-is-cut-at-midnight',
    promise: 'midnight does not cut a session',
    from: 'if (last >= goesOnFrom) goingOn.push(user)',
    to: 'if (last < start) goingOn.push(user)',
    test: 'test/questions/sessions/counting.node.test.ts',
  },
  {
    name: 'acquired-a-month-later',
    promise: 'only a start parameter of the first 24 hours acquires a user',
    from: 'if ((this.#starts.times[user] as number) > latest) this.#starts.set(user)',
    to: '',
    test: 'test/columns/activity.test.ts',
  },
  {
    name: 'late-start-parameter-acquires-nobody',
    promise: 'an event of the day after that arrives late still acquires its user',
    from: 'for (const earlier of [day, day - 1, day - 2]) this.#touched.add(earlier)',
    to: 'for (const earlier of [day]) this.#touched.add(earlier)',
    test: 'test/columns/activity.test.ts',
    title: 'an event of the day after the first one',
  },
  {
    name: 'first-event-of-the-larger-key',
    promise: 'of several first events of one instant the one with the smallest key counts',
    from: 'if (key >= (keys.get(user) ?? Number.POSITIVE_INFINITY)) continue',
    to: 'if (key < (keys.get(user) ?? 0)) continue',
    test: 'test/columns/activity.test.ts',
  },
]
