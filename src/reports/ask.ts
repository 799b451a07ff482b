import { applicationOf } from '../accounts/access.ts'
import type { RequestContext } from '../context.ts'
import { Failure } from '../errors.ts'
import type { Question, Reply } from '../objects/answering.ts'
import { keysOf, nameOfObject, type ObjectKey } from '../objects/object-name.ts'
import { toDate, toIso } from '../time/days.ts'
import { withTimeout } from '../time/with-timeout.ts'
import { DATA_SINCE_HEADER } from './answer-headers.ts'
import type { AsOf } from './daily-figures/as-of.ts'
import type { Report } from './report.ts'

/**
 * A request gets a 503 before the many clients that give up after half a minute do: so long after it arrived, however many
 * questions it takes.
 */
const ANSWER_TIMEOUT_MS = 20_000
const RETRY_SECONDS = 5

type Asker = Pick<RequestContext, 'env' | 'elapsed' | 'setHeader'>

/** Asks the objects of the caller's application. */
export function ask<Query, Part, Result>(
  report: Report<Query, Part, Result>,
  query: Query,
  context: Pick<RequestContext, 'access'> & Asker,
): Promise<AsOf<Result>> {
  return askAbout(applicationOf(context.access), report, query, context)
}

/**
 * Asks the objects of an application. Throws `unavailable` if one does not answer or is being filled, and `too-many` if
 * too many questions wait in line. What our own code there throws comes as it is. Sets the header `data-since`, if there is
 * something to say.
 */
export async function askAbout<Query, Part, Result>(
  { id: applicationId, objects }: { readonly id: number; readonly objects: number },
  report: Report<Query, Part, Result>,
  query: Query,
  { env, elapsed, setHeader }: Asker,
): Promise<AsOf<Result>> {
  const asking = {
    question: { report: report.name, query },
    namespace: env.APPLICATIONS,
    timeoutMs: Math.max(0, ANSWER_TIMEOUT_MS - elapsed()),
  }
  const replies = await Promise.all(keysOf({ applicationId, objects }).map((key) => replyOf(key, asking)))
  const answers = replies.map(answerOf)
  const asOf = Math.min(...answers.map((answer) => answer.asOf))
  const since = Math.max(...answers.map((answer) => answer.since ?? 0))
  if (since > 0) setHeader(DATA_SINCE_HEADER, toDate(since))
  return {
    asOf: toIso(asOf),
    data: report.result(
      answers.map(({ part }) => part as Part),
      query,
    ),
  }
}

/** An object as it is asked: the platform's type of it cannot say that parts are whatever a report returns. */
interface Answering {
  ask(key: ObjectKey, question: Question): Promise<Reply>
}

interface Asking {
  readonly question: Question
  readonly namespace: Env['APPLICATIONS']
  readonly timeoutMs: number
}

async function replyOf(key: ObjectKey, { question, namespace, timeoutMs }: Asking): Promise<Reply> {
  const object = namespace.getByName(nameOfObject(key)) as unknown as Answering
  try {
    return await withTimeout(object.ask(key, question), timeoutMs)
  } catch (error) {
    if (isOurs(error)) throw error
    throw new Failure('unavailable', OBJECT_AWAY, { cause: error })
  }
}

/**
 * Whether our own code in the object threw it, so that asking again would not help. The platform marks its own otherwise:
 * https://developers.cloudflare.com/durable-objects/best-practices/error-handling/
 */
function isOurs(error: unknown): boolean {
  const { remote, retryable, overloaded } = error as Readonly<Record<string, unknown>>
  return remote === true && retryable !== true && overloaded !== true
}

function answerOf(reply: Reply) {
  if (reply.kind === 'answer') return reply
  if (reply.kind === 'filling') throw new Failure('unavailable', FILLING, { retryAfterSeconds: RETRY_SECONDS })
  throw new Failure('too-many', BUSY, { retryAfterSeconds: RETRY_SECONDS })
}

const OBJECT_AWAY = "The application's object does not answer right now. Send the request again."
const FILLING =
  "The application's events are being prepared for questions. Nothing is lost: send the request again in a few seconds."
const BUSY = 'Too many questions about this application wait to be answered. Send the request again in a few seconds.'
