import { callerOf } from '../../access/access.ts'
import { Failure, type Fault, Invalid } from '../../base/errors.ts'
import type { SourceRule } from '../../base/sources.ts'
import { toDate, toIso } from '../../base/time/days.ts'
import { DICTIONARY_ROOM } from '../../columns/selection/dictionary.ts'
import { withRules } from '../../columns/selection/property-codes.ts'
import type { RequestContext } from '../../http/context.ts'
import { columnsObject } from '../../storage/application-objects.ts'
import { countOf, keysOf, type ObjectKey } from '../../storage/object-name.ts'
import type { AsOf } from './as-of.ts'
import type { AskedNames } from './asked-names.ts'
import { ruleOfPart } from './cohort-rule.ts'
import { DATA_SINCE_HEADER } from './contract.ts'
import type { Question, Reply, Report } from './report.ts'
import { type UnknownNames, unknownToAll } from './unknown-names.ts'

/**
 * A request gets a 503 before the many clients that give up after half a minute do: so long after it arrived, however many
 * questions it takes.
 */
const ANSWER_TIMEOUT_MS = 20_000
const RETRY_SECONDS = 5

interface AskedApplication {
  readonly id: number
  readonly objects: number
  /** Missing in copies cached by earlier releases. */
  readonly sources?: readonly SourceRule[]
}

interface Asker extends Pick<RequestContext, 'access' | 'env' | 'elapsed' | 'setHeader'> {
  /** Those that the query refers to. */
  readonly cohorts?: Question['cohorts']
  /** Names that the objects are to look for. */
  readonly names?: AskedNames | undefined
}

interface Told<Result> extends AsOf<Result> {
  /** The names that no object knows. */
  readonly unknown: UnknownNames
}

/**
 * Asks the objects of an application. Throws `unavailable` if one does not answer or is being filled, and `too-many` if
 * too many questions wait in line. What our own code there throws comes as it is. Sets the header `data-since`, if there is
 * something to say.
 */
export async function askAbout<Query, Part, Result>(
  { id: applicationId, objects, sources = [] }: AskedApplication,
  report: Report<Query, Part, Result>,
  query: Query,
  { access, env, elapsed, setHeader, cohorts = [], names }: Asker,
): Promise<Told<Result>> {
  const rules = JSON.stringify(sources)
  const asking = {
    question: {
      report: report.name,
      query: withRules(query, rules),
      caller: callerOf(access),
      ...(names && { names: withRules(names, rules) }),
    },
    cohorts: withRules(cohorts, rules),
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
    unknown: unknownToAll(answers.map(({ unknown }) => unknown)),
    data: report.result(
      answers.map(({ part }) => part as Part),
      query,
    ),
  }
}

interface Asking {
  readonly question: Question
  readonly cohorts: NonNullable<Question['cohorts']>
  readonly namespace: Env['APPLICATIONS']
  readonly timeoutMs: number
}

async function replyOf(key: ObjectKey, { question, cohorts, namespace, timeoutMs }: Asking): Promise<Reply> {
  const of = { part: key.part, count: countOf(key.objects) }
  const own = cohorts.map(([name, rule]) => [name, ruleOfPart(rule, of)] as const)
  try {
    return await columnsObject(key, namespace).ask({ ...question, ...(own.length > 0 && { cohorts: own }) }, timeoutMs)
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
  if (reply.kind === 'too many pairs') throw new Invalid([TOO_MANY_PAIRS])
  throw new Failure('too-many', BUSY, { retryAfterSeconds: RETRY_SECONDS })
}

const { groups: MOST_PAIRS, characters: MOST_CHARACTERS } = DICTIONARY_ROOM
const TOO_MANY_PAIRS: Fault = {
  loc: ['query', 'group_by'],
  type: 'value_error',
  msg: `These two properties have more than ${MOST_PAIRS.toLocaleString('en')} combinations in the period, or combinations of more than ${MOST_CHARACTERS.toLocaleString('en')} characters in all. Group by one of them, shorten the period or add filters`,
}

const OBJECT_AWAY = "The application's object does not answer right now. Send the request again."
const FILLING =
  "The application's events are being prepared for questions. Nothing is lost: send the request again in a few seconds."
const BUSY = 'Too many questions about this application wait to be answered. Send the request again in a few seconds.'
