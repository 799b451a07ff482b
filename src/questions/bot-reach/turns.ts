import type { Columns } from '../../columns/columns.ts'
import { increase, lowerBound } from '../../columns/flat-arrays.ts'
import { type EventProperty, type Filter, parseProperty } from '../../columns/selection/filter.ts'
import { createSelection, type PickedEvents } from '../../columns/selection/selection.ts'
import { createPace } from '../engine/pace.ts'

/** The moments at which users became, or stopped being, reachable. A user's turns are adjacent; gains and losses alternate. */
export interface ReachTurns {
  readonly gains: TurnList
  readonly losses: TurnList
}

export interface TurnList {
  readonly length: number
  readonly users: Uint32Array
  readonly times: Float64Array
}

/** Events of a bot's client: their names, and the filters that they pass. */
interface Signal {
  readonly names: readonly string[]
  readonly filters: readonly Filter[]
}

const COMMAND = 'telegram_command '
const MEMBERSHIP = 'telegram_my_chat_member'

const IS_PRIVATE = is('referrer_type', 'private')

/** Events that show that a bot may message a user. */
function gainsIn(columns: Columns): Signal[] {
  const commands = Array.from(columns.names(), ({ name }) => name).filter((name) => name.startsWith(COMMAND))
  return [
    { names: ['telegram_message', ...commands], filters: [IS_PRIVATE] },
    { names: ['telegram_bot_unblocked'], filters: [] },
    { names: [MEMBERSHIP], filters: [IS_PRIVATE, is('params.new_status', 'member')] },
  ]
}

const BLOCKS: readonly Signal[] = [
  { names: ['telegram_bot_blocked'], filters: [] },
  { names: [MEMBERSHIP], filters: [IS_PRIVATE, is('params.new_status', 'kicked')] },
]

function is(name: string, value: string): Filter {
  return { property: parseProperty(name) as EventProperty, operator: 'is', values: [value] }
}

/** Finds the turns before `end`. Between two blocks by a user, only the first sign that they are reachable matters. */
export function* readTurns(columns: Columns, end: number): Generator<void, ReachTurns> {
  const blocks = yield* readBlocks(columns, end)
  // Per user: the first sign before each of their blocks, and after the last one.
  const firsts = new Float64Array(columns.userCount + blocks.times.length).fill(Number.POSITIVE_INFINITY)
  for (const events of eventsOf(columns, gainsIn(columns), end)) {
    if (events) keepFirsts(events, blocks, firsts)
    else yield
  }
  return turnsOf(columns.userCount, blocks, firsts)
}

/** Yields the events that match signals, and null when it is time to yield. */
function* eventsOf(columns: Columns, signals: readonly Signal[], end: number): Generator<PickedEvents | null> {
  const pace = createPace()
  for (const { names, filters } of signals) {
    const selection = createSelection(columns, { filters })
    for (const name of names) {
      for (const events of selection.events(name, { from: 0, to: end })) {
        yield events
        if (pace.isDue(events.segment.users.length)) yield null
      }
    }
  }
}

/** When each user blocked the bot. */
interface Blocks {
  /** Per user: the index of their first block. One more entry has the number of all blocks. */
  readonly offsets: Uint32Array
  /** The times of blocks, user by user; ascending for each user. */
  readonly times: Float64Array
}

function* readBlocks(columns: Columns, end: number): Generator<void, Blocks> {
  const [users, unordered]: [number[], number[]] = [[], []]
  for (const events of eventsOf(columns, BLOCKS, end)) {
    if (!events) {
      yield
      continue
    }
    for (let index = events.from; index < events.to; index++) {
      users.push(events.users[index] as number)
      unordered.push(events.times[index] as number)
    }
  }
  const offsets = new Uint32Array(columns.userCount + 1)
  for (const user of users) increase(offsets, user + 1)
  for (let user = 0; user < columns.userCount; user++) increase(offsets, user + 1, offsets[user])
  const next = offsets.slice()
  const times = new Float64Array(users.length)
  for (const [index, user] of users.entries()) {
    const at = next[user] as number
    times[at] = unordered[index] as number
    increase(next, user)
  }
  for (let user = 0; user < columns.userCount; user++) {
    const [from, to] = [offsets[user] as number, offsets[user + 1] as number]
    if (to - from > 1) times.subarray(from, to).sort()
  }
  return { offsets, times }
}

/** Keeps the first event before each block, and after the last. Blocks take effect after all else at their instant. */
function keepFirsts(
  { users, times, from, to }: PickedEvents,
  { offsets, times: blocks }: Blocks,
  firsts: Float64Array,
): void {
  for (let index = from; index < to; index++) {
    const user = users[index] as number
    const time = times[index] as number
    const [first, end] = [offsets[user] as number, offsets[user + 1] as number]
    const place = user + (first === end ? first : lowerBound(blocks, time, first, end))
    if (time < (firsts[place] as number)) firsts[place] = time
  }
}

/** Lists the turns. A block without a sign before it changes nothing. */
function turnsOf(userCount: number, { offsets, times }: Blocks, firsts: Float64Array): ReachTurns {
  const gains = createList(firsts.length)
  const losses = createList(times.length)
  for (let user = 0; user < userCount; user++) {
    const end = offsets[user + 1] as number
    for (let block = offsets[user] as number; block <= end; block++) {
      const gain = firsts[user + block] as number
      if (gain === Number.POSITIVE_INFINITY) continue
      gains.add(user, gain)
      if (block < end) losses.add(user, times[block] as number)
    }
  }
  return { gains, losses }
}

function createList(most: number) {
  const [users, times] = [new Uint32Array(most), new Float64Array(most)]
  return {
    length: 0,
    users,
    times,
    add(user: number, time: number): void {
      users[this.length] = user
      times[this.length] = time
      this.length += 1
    },
  }
}
