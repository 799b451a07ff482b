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

/** How long after its arrival a request gets a 503, whatever it asks: many clients give up after half a minute. */
const ANSWER_TIMEOUT_MS = 20_000
const RETRY_SECONDS = 5

interface TargetApplication {
  readonly id: number
  readonly objects: number
  /** The application's rules of sources; missing in copies cached by earlier releases. */
  readonly sources?: readonly SourceRule[]
}

interface AskContext extends Pick<RequestContext, 'access' | 'env' | 'elapsed' | 'setHeader'> {
  /** The cohorts that the query refers to. */
  readonly cohorts?: Question['cohorts']
  /** Names that the objects look up, to report the unknown ones. */
  readonly names?: AskedNames | undefined
}

interface Answered<Result> extends AsOf<Result> {
  /** The names that no object knows. */
  readonly unknown: UnknownNames
}

/**
 * Asks the objects of an application. Throws `unavailable` if one does not respond or is being filled, and `too-many`
 * if too many questions wait. Errors of our own code in an object are passed on. Sets the header `data-since` if
 * earlier days are incomplete.
 */
export async function askAbout<Query, Part, Result>(
  { id: applicationId, objects, sources = [] }: TargetApplication,
  report: Report<Query, Part, Result>,
  query: Query,
  { access, env, elapsed, setHeader, cohorts = [], names }: AskContext,
): Promise<Answered<Result>> {
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

interface ObjectRequest {
  readonly question: Question
  readonly cohorts: NonNullable<Question['cohorts']>
  readonly namespace: Env['APPLICATIONS']
  readonly timeoutMs: number
}

async function replyOf(key: ObjectKey, { question, cohorts, namespace, timeoutMs }: ObjectRequest): Promise<Reply> {
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
 * Whether our own code in the object threw the error, so that a retry would not help. The platform marks its own errors
 * differently: https://developers.cloudflare.com/durable-objects/best-practices/error-handling/
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
