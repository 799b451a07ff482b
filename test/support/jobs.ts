import { env } from 'cloudflare:workers'
import { runJobs, type Work, type Works } from '../../src/lifecycle/jobs/jobs.ts'
import { WORKS } from '../../src/object/application-object.ts'
import { openDatabase } from '../../src/storage/database.ts'

interface JobRun {
  /** The most steps that are run. */
  readonly steps?: number | undefined
  readonly works?: Works
  /** What steps use in place of the real bindings. */
  readonly bindings?: Env
  /** Happens after each step. */
  readonly between?: () => Promise<void>
}

/** Does the steps of an application's jobs here, without its object; returns how many it did. */
export async function workOnJobs(
  applicationId: number,
  { steps = Number.POSITIVE_INFINITY, works = WORKS, bindings = env, between }: JobRun = {},
): Promise<number> {
  let done = 0
  const pause = async () => {
    await between?.()
    done += 1
    if (done >= steps) throw new Stopped()
  }
  const running = { env: bindings, db: openDatabase(bindings.DB), now: Date.now, works, pause, forMs: 600_000 }
  await runJobs(applicationId, running).catch((error) => {
    if (!(error instanceof Stopped)) throw error
  })
  return done
}

class Stopped extends Error {}

/** Does each step twice, because the note of a step may be lost. */
export function twice(work: Work): Work {
  return async (job, working) => {
    await work(job, working)
    return work(job, working)
  }
}

/** No object is woken: jobs come as far as they come without one. */
export const ASLEEP: Env = {
  ...env,
  APPLICATIONS: {
    getByName: () => {
      throw new Error('It sleeps')
    },
  } as unknown as Env['APPLICATIONS'],
}
