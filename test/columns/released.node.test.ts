import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { Activity } from '../../src/columns/activity.ts'
import { Store } from '../../src/columns/store.ts'
import { answer } from '../../src/object/answering.ts'
import { ASKED_DAYS } from '../bench/bounds.ts'
import { writeColumns } from '../bench/made-columns.ts'
import { askFor, type MadeQuestion, madeQuestions } from '../bench/made-questions.ts'
import { openObjectFile } from '../bench/object-file.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
const PACE = { now: () => 0, pause: () => new Promise((resolve) => setImmediate(resolve)) }

it('nothing that a question left in the cache of the isolate holds the columns of an object that is gone', async () => {
  const storage = openObjectFile(':memory:')
  writeColumns(storage, { events: 5_000, users: 250, ...ASKED_DAYS, timeZone: 'UTC' }, 1)
  const asked = new Map<string, WeakRef<Activity>>()
  for (const question of madeQuestions({ ...ASKED_DAYS, objects: 1 })) {
    asked.set(question.what, await askOnce(storage, question))
  }
  const held = () => [...asked].filter(([, columns]) => columns.deref()).map(([what]) => what)
  // A collection frees what was in use until shortly before only the next time.
  for (let tries = 0; tries < TRIES && held().length > 0; tries += 1) {
    await PACE.pause()
    collectGarbage()
  }
  expect(held()).toEqual([])
})

const TRIES = 10

async function askOnce(storage: DurableObjectStorage, question: MadeQuestion): Promise<WeakRef<Activity>> {
  const columns = new Activity(new Store(storage))
  await askFor(question, {
    objects: 1,
    async ask(report, query) {
      const asked = { report: report.name, query, cohorts: question.cohorts, caller: 'test' }
      const part = await answer(asked, columns, PACE)
      return report.result([part as Parameters<typeof report.result>[0][number]], query)
    },
  })
  return new WeakRef(columns)
}
