import { nextJob } from '../../lifecycle/jobs/jobs.ts'
import { addMove } from '../../lifecycle/moves/move.ts'
import { transfersOf } from '../../lifecycle/moves/plan.ts'
import { selectPartitionings } from '../../lifecycle/partitionings/sql.ts'
import type { Placement } from '../../storage/activity.ts'
import { countOf } from '../../storage/object-name.ts'
import type { TargetDatabases } from '../database.ts'
import { findDatabase } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { type Application, findApplication, OBJECTS, showProgress } from './partitionings.ts'

interface Order {
  /** The application's handle or project id. */
  readonly name: string
  /** Numbers of databases, separated by commas. */
  readonly databases: string
  readonly isDry: boolean
}

export async function moveApplication(open: TargetDatabases, { name, databases, isDry }: Order) {
  const to = readPlacement(databases)
  const application = await findApplication(open, name)
  const { id: applicationId, handle, objects, databases: from } = application
  if (String(from) === String(to)) throw new CommandFailure(`@${handle} is in ${inWords(to)} already.`)
  if (countOf(objects) % to.length !== 0) throw new CommandFailure(tooFewObjects(handle, to.length))
  await requireQuiet(open, application)
  const transfers = transfersOf(from, to).map(
    ({ users, from, to }) => `${users.places.length}/${users.of} from ${from} to ${to}`,
  )
  const answer = { application: handle, from: String(from), to: String(to), users: transfers.join(', ') || 'stay' }
  if (isDry) return { ...answer, note: 'Nothing was changed.' }
  const [added] = await addMove(open(1), { applicationId, from, to, now: Date.now() })
  if (!added) {
    // Another command was quicker.
    await requireQuiet(open, application)
    throw new CommandFailure(`@${handle} changed just now. Look where it is and try again.`)
  }
  return {
    ...answer,
    note: 'It begins within five minutes. Questions are answered meanwhile; new events wait in the queue until it is done.',
  }
}

/** Which databases an application is in, and how far a move is. */
export async function showPlacement(open: TargetDatabases, name: string) {
  const { id, handle, databases } = await findApplication(open, name)
  const job = await nextJob(open(1), id)
  if (job?.kind !== 'move') return { application: handle, databases: String(databases), moving: 'no' }
  const { to, step, task } = job.progress as { to: Placement; step: string; task: number }
  return { application: handle, databases: String(databases), moving: `to ${to}: ${step}, ${task} done` }
}

function readPlacement(text: string): Placement {
  const numbers = text.split(',')
  if (
    !numbers.every((number) => /^[1-9]\d*$/.test(number)) ||
    !OBJECTS.some((objects) => Number(objects) === numbers.length)
  ) {
    throw new CommandFailure(
      `--database is "${text}", but must be the number of a database, or a list of 2, 4, 8 or 16 of them: 1,2,3,2`,
    )
  }
  return numbers.map((number) => findDatabase(Number(number)).number)
}

function tooFewObjects(handle: string, length: number): string {
  return (
    `An object reads one database, and the users of @${handle} are spread over fewer than ${length} objects. ` +
    `Spread them first: npm run account -- partition --application ${handle} --objects ${length}`
  )
}

function inWords(placement: Placement): string {
  return placement.length === 1 ? `database ${placement}` : `the databases ${placement}`
}

/** Throws `CommandFailure` while a job changes rows, or where they are. */
async function requireQuiet(open: TargetDatabases, { id, handle }: Application) {
  const job = await nextJob(open(1), id)
  if (job) {
    throw new CommandFailure(`Another job of @${handle} is running: ${job.kind}. Try again when it is done.`)
  }
  if ((await selectPartitionings(open(1), id)).length > 1) {
    throw new CommandFailure(
      `The columns of @${handle} are being changed: another number of objects, or another time zone. ${showProgress(handle)}`,
    )
  }
}
