import type { Handler } from 'hono'
import type { AppEnv } from '../../../http/context.ts'
import { FUNNEL_PARAMS, namesIn } from '../../../questions/saved/contract.ts'
import { canonical, hrefTo, type View } from '../../address.ts'
import { applicationPage } from '../../application-page.tsx'
import { groupsOf } from '../../components/question-form.tsx'
import { usersHrefOf } from '../../figure-users.ts'
import { type OccurredNames, questionPage } from '../../question-page.tsx'
import { FunnelResult } from './figures.tsx'
import { FunnelForm } from './form.tsx'
import { askForFunnel, MIN_STEPS, queryOf } from './question.ts'
import { withWindowSeconds } from './window.ts'

const page = applicationPage((request) => {
  const { view, home } = request
  const steps = namesIn(view, 'events')
  const isAsked = steps.length >= MIN_STEPS
  return questionPage(request, {
    title: 'Funnels',
    subject: steps.join(' → '),
    asking: isAsked ? askForFunnel(request) : null,
    fields: FUNNEL_PARAMS,
    isNothing: (_, { names }) => steps.length === 0 && names.length === 0,
    form: (fields, offered) => (
      <>
        {!isAsked && <WhatItIs view={view} steps={steps} offered={offered} />}
        <FunnelForm {...fields} />
      </>
    ),
    figures: (figures, { names, isAll }) => (
      <FunnelResult
        view={view}
        home={home}
        properties={groupsOf(view)}
        usersHref={usersHrefOf(home, '/funnels', queryOf(view) ?? {})}
        unknown={new Set(isAll ? steps.filter((name) => !names.includes(name)) : [])}
        {...figures}
      />
    ),
  })
})

/** A form says the time span in a unit; the address says it in seconds. */
export const funnelsPage: Handler<AppEnv> = (c, next) => {
  const better = withWindowSeconds(new URL(c.req.url))
  if (better === null) return page(c, next)
  return c.redirect(canonical(better) ?? better.pathname + better.search)
}

function WhatItIs({ view, steps, offered }: { view: View; steps: readonly string[]; offered: OccurredNames }) {
  const example = exampleOf(offered)
  if (steps.length === 1)
    return <p class="note">A funnel has at least two steps. Add the event that comes after this one.</p>
  return (
    <section class="card">
      <h2>New funnel</h2>
      <p>
        A funnel is a series of steps, such as from opening your mini-app to paying. It shows how many users reach each
        step, how long that takes them, and where they drop off.
      </p>
      {example.length >= MIN_STEPS && (
        <p>
          Example with your own events:{' '}
          <a href={hrefTo(view, view.path, { events: example })}>
            {example.map((name, place) => (
              <>
                {place > 0 && ' → '}
                <bdi>{name}</bdi>
              </>
            ))}
          </a>
        </p>
      )}
    </section>
  )
}

const EXAMPLE_STEPS = 3

/** What looks like a funnel: events that ever fewer users have, each by a good part fewer than the one before. */
const FEWER = 0.7

function exampleOf({ names, users }: OccurredNames): string[] {
  const byUsers = names.map((name, place) => ({ name, users: users[place] ?? 0 })).toSorted((a, b) => b.users - a.users)
  const steps = byUsers.slice(0, 1)
  for (const candidate of byUsers) {
    const last = steps.at(-1)
    if (steps.length < EXAMPLE_STEPS && last && candidate.users <= last.users * FEWER) steps.push(candidate)
  }
  return (steps.length < MIN_STEPS ? byUsers.slice(0, MIN_STEPS) : steps).map(({ name }) => name)
}
