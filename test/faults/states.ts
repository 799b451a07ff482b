import { KINDS, type Part } from './faults.ts'
import type { Behavior } from './receiver.ts'

type FaultState = { [P in Part]: `${P} ${(typeof KINDS)[P][number]}` }[Part]

/** What the worker sees, and says in its log. */
const OF_WORKER = [
  'a delivery comes again',
  'a delivery is stored and then reported as failed',
  'a message is delivered after a newer one',
  'two deliveries at the same time',
  'a part fails while cron runs',
  'an object starts anew',
] as const

const OF_RUN = [
  'the runtime is killed while requests are under way',
  'the process is killed while requests are under way',
  'the service starts again with messages in the queue',
  'the runtime is suspended',
  'a client hangs up before the answer',
  'events that were answered with 200 are sent again',
  'a late event into a closed day',
  'an exact answer while a part fails',
  'a question is refused while a part fails',
  'an export while events arrive',
  'a person is erased while their events are in the queue',
  'a person is erased while a part fails',
  'an erasure is under way when the service is killed',
  'an erased id sends again',
] as const

export type StateOfWorker = (typeof OF_WORKER)[number] | FaultState
type StateOfRun = (typeof OF_RUN)[number] | `a webhook ${Behavior}`
export type State = StateOfWorker | StateOfRun

const BEHAVIORS: readonly Behavior[] = ['takes', 'takes slowly', 'fails', 'hangs', 'hangs up', 'gone']

/** Every state that a run must reach to prove anything. */
export const STATES: readonly State[] = [
  ...Object.entries(KINDS).flatMap(([part, kinds]) => kinds.map((kind) => `${part} ${kind}` as FaultState)),
  ...OF_WORKER,
  ...OF_RUN,
  ...BEHAVIORS.map((behavior) => `a webhook ${behavior}` as const),
]
