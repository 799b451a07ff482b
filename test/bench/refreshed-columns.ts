import type { DatabaseSync } from 'node:sqlite'
import { MS_PER_DAY } from '../../src/base/time/days.ts'
import { Store } from '../../src/columns/store.ts'
import { Random } from '../../src/commands/demo/random.ts'
import { ColumnsSync } from '../../src/object/columns-sync.ts'
import { FairQueue } from '../../src/object/fair-queue.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { openDatabaseInMemory } from './database-file.ts'
import { held } from './held.ts'
import { CONTEXTS, FIRST_USER, NAMES, USERS_APART } from './made-columns.ts'
import { openObjectFile } from './object-file.ts'

// A process of its own, as an isolate is: keeps one of several objects up to date while events arrive, and prints how that went.

export interface Refreshing {
  readonly file: string
  /** How many objects share the application's users; the file is that of the first. */
  readonly objects: number
  /** The users of one object. */
  readonly users: number
  readonly today: number
  /** The events of all objects together. */
  readonly eventsASecond: number
}

export interface Refreshed {
  readonly what: string
  readonly runs: number
  /** The mean number of events that a run reads, of all objects. */
  readonly events: number
  readonly own: number
  /** The processor time of one run, including the database, which is in this process, too. */
  readonly milliseconds: number
  readonly slowest: number
  readonly heldBytes: number
}

/** How long an object rests after a run. */
const LEAST_REST_MS = 1_500
const LONGEST_REST_MS = 5_000
const REST_SHARE = 3

const RUNS = 100
const MS_PER_HOUR = 3_600_000
const PARAMS = JSON.stringify({ category: 'shoes', price: 17, product: 'product 123' })

const { file, objects, users, today, eventsASecond } = JSON.parse(process.argv[2] as string) as Refreshing
const key = { applicationId: 1, objects, part: 0 }
const { binding, sqlite } = openDatabaseInMemory()
sqlite.exec(`insert into layouts (application_id, objects) values (1, ${objects})`)
const db = openDatabase(binding)
const store = new Store(openObjectFile(file))
// As after a pass over everything.
store.setNote('scanned', 0)
const sync = new ColumnsSync({ store, key, queue: new FairQueue({ pause: async () => {} }) })
const arrivals = createArrivals(sqlite)

let now = (today + 1) * MS_PER_DAY
await refreshFor(MS_PER_HOUR, 'an hour that was missed', { runs: 1, isOwnOnly: true })
await refreshFor(null, `then ${eventsASecond} events a second`, { runs: RUNS, isOwnOnly: false })

/** Runs as the object does; the first rest is given, the others follow from the runs. */
async function refreshFor(
  rest: number | null,
  what: string,
  { runs, isOwnOnly }: { runs: number; isOwnOnly: boolean },
): Promise<void> {
  let [events, own, slowest, sum, heldBytes] = [0, 0, 0, 0, 0]
  let passed = rest ?? LEAST_REST_MS
  for (let run = 0; run < runs; run += 1) {
    const arrived = arrivals.add({ from: now, to: now + passed, isOwnOnly })
    now += passed
    const took = await processorTime(() => sync.run({ db, number: 1, directory: db, keptFrom: null, now }))
    events += arrived.events
    own += arrived.own
    sum += took
    slowest = Math.max(slowest, took)
    passed = took + Math.max(LEAST_REST_MS, Math.min(took * REST_SHARE, LONGEST_REST_MS))
    if (run % 10 === 0) heldBytes = Math.max(heldBytes, await held())
  }
  const means = { events: events / runs, own: own / runs, milliseconds: sum / runs }
  console.log(JSON.stringify({ what, runs, ...means, slowest, heldBytes } satisfies Refreshed))
}

/** Stores events as collection does: the events, and a change of their names for this object. */
function createArrivals(database: DatabaseSync) {
  const random = new Random(1)
  const names = NAMES.flatMap(([, share], index) => new Array<number>(share / 5).fill(index + 1))
  const insertEvent = database.prepare('insert into events values (1, ?, ?, ?, ?, ?, ?)')
  const insertChange = database.prepare('insert or replace into changes values (1, ?, 0, ?, 0, ?, ?, 1, ?, ?)')
  let number = 0
  return {
    add({ from, to, isOwnOnly }: { from: number; to: number; isOwnOnly: boolean }) {
      const events = Math.round(((to - from) * eventsASecond) / 1_000 / (isOwnOnly ? objects : 1))
      let own = 0
      const ownNames = new Set<number>()
      database.exec('begin')
      for (let index = 0; index < events; index += 1) {
        const time = Math.floor(from + ((to - from) * index) / events)
        const part = isOwnOnly ? 0 : Math.floor(objects * random.next())
        const user = Math.floor(users * random.next() ** 1.5)
        const nameId = names[Math.floor(names.length * random.next())] as number
        const context = 1 + ((user * 2_654_435_761) % CONTEXTS)
        number += 1
        insertEvent.run(nameId, time, (FIRST_USER + user) * USERS_APART + part, number, context, PARAMS)
        if (part !== 0) continue
        own += 1
        ownNames.add(nameId)
      }
      const marked = Math.floor(to)
      insertChange.run(objects, Math.floor(to / 5_000), Math.floor(from), marked, marked, JSON.stringify([...ownNames]))
      database.exec('commit')
      return { events, own }
    },
  }
}

async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const began = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(began)
  return (user + system) / 1_000
}
