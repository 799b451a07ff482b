import { STEPS } from '../../../questions/funnels/contract.ts'
import { analyzeFunnelRoute } from '../../../questions/funnels/routes.ts'
import { getEventPathsRoute } from '../../../questions/paths/routes.ts'
import { commonQuery, hrefTo, periodQuery, type View } from '../../request/address.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { isOwnEvent } from '../../request/own-events.ts'
import { attempt } from '../../request/problem.tsx'
import { counted, toShare } from '../../words/format.ts'

/** The events with most users; each takes a question. */
const ASKED = 8
const GUESSES = 3
const MAX_STEPS = 4
const PATH_STEPS = '5'
/** The greatest share of the users of an event who have the one that follows it. */
const FEWER = 0.97
/** The least share of the users of an event that follows who come from the one before. */
const COMING = 0.5

/** A funnel that users really go through. */
export interface Guess {
  readonly steps: readonly string[]
  /** The users of each step. */
  readonly users: readonly number[]
}

/** Own events that follow one another within a session, as the paths of all users say; drawn from what the funnels themselves answer. */
export async function guessFunnels({ view, context, ...request }: ApplicationRequest): Promise<Guess[]> {
  const { names, users } = await request.names()
  const own = names
    .map((name, place) => ({ name, users: users[place] ?? 0 }))
    .filter(({ name, users }) => users > 0 && isOwnEvent(name))
    .toSorted((a, b) => b.users - a.users)
    .slice(0, ASKED)
  const next = await Promise.all(
    own.map(async ({ name, users }) => {
      const query = { ...periodQuery(view), event: name, steps: PATH_STEPS }
      const { data } = await attempt(getEventPathsRoute.ask({ query }, context))
      const wanted = own.filter((one) => one.name !== name && one.users <= users * FEWER)
      return [name, followersOf(data?.data ?? [], wanted)] as const
    }),
  )
  const guesses = chainsOf(new Map(next))
  const asked = guesses.map(async (steps) => {
    const query = { ...commonQuery(view), events: JSON.stringify(steps) }
    const { data } = await attempt(analyzeFunnelRoute.ask({ query }, context))
    return { steps, users: data?.steps.map((step) => step.users) ?? [] }
  })
  return (await Promise.all(asked)).filter(({ users }) => (users[0] ?? 0) > 0)
}

interface Reached {
  readonly to: string
  readonly users: number
}

interface OwnEvent {
  readonly name: string
  readonly users: number
}

/** Events to which users come from another one, most users first. */
function followersOf(transitions: readonly Reached[], wanted: readonly OwnEvent[]): string[] {
  const most = new Map<string, number>()
  for (const { to, users } of transitions) most.set(to, Math.max(most.get(to) ?? 0, users))
  return wanted.filter(({ name, users }) => (most.get(name) ?? 0) >= users * COMING).map(({ name }) => name)
}

/** From each event on to the one that most users go on to. None is the end of another one. */
function chainsOf(next: ReadonlyMap<string, readonly string[]>): string[][] {
  const chains: string[][] = []
  for (const start of next.keys()) {
    const chain = [start]
    while (chain.length < MAX_STEPS) {
      const follower = next.get(chain.at(-1) ?? '')?.find((name) => !chain.includes(name))
      if (follower === undefined) break
      chain.push(follower)
    }
    const isPart = chains.some((other) => other.join('\n').endsWith(chain.join('\n')))
    if (chain.length >= STEPS.min && !isPart) chains.push(chain)
  }
  return chains.slice(0, GUESSES)
}

export function Guesses({ view, guesses }: { view: View; guesses: readonly Guess[] }) {
  return (
    <section class="card">
      <h2>New funnel</h2>
      <p>
        A funnel is a series of steps, such as from opening your mini-app to paying. It shows how many users reach each
        step, how long that takes them, and where they drop off.
      </p>
      {guesses.length > 0 && (
        <>
          <h3>Start from your own events</h3>
          <ul class="guesses">
            {guesses.map((guess) => (
              <li>
                <a href={hrefTo(view, view.path, { events: guess.steps })}>
                  <strong>{toShare(guess.users.at(-1) ?? 0, guess.users[0] ?? 0)}</strong>{' '}
                  <span class="hint">{`of ${counted(guess.users[0] ?? 0, 'user')}`}</span>
                  <Bars users={guess.users} />
                  <span class="guess-steps">
                    {guess.steps.map((name, place) => (
                      <>
                        {place > 0 && ' → '}
                        <bdi>{name}</bdi>
                      </>
                    ))}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Bars({ users }: Pick<Guess, 'users'>) {
  const [first = 1] = users
  return (
    <svg class="guess-bars" aria-hidden="true">
      {users.map((count, place) => {
        const height = (count / first) * 100
        return (
          <rect
            x={`${((place / users.length) * 100).toFixed(2)}%`}
            y={`${(100 - height).toFixed(2)}%`}
            width={`${(92 / users.length).toFixed(2)}%`}
            height={`${height.toFixed(2)}%`}
            rx="3"
          />
        )
      })}
    </svg>
  )
}
