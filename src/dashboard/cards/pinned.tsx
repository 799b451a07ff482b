import { pinnedOf } from '../../accounts/applications/saved-questions.ts'
import { findEarlierData } from '../figures/comparison.ts'
import { hrefOfSaved } from '../frame/saved-menu.tsx'
import type { ApplicationRequest } from '../request/application-request.ts'
import { cardOf, drawCard, ReportCard } from './card.tsx'
import { inTurns } from './in-turns.ts'

/** The pinned reports of an application, each for its own period; null if there are none. */
export async function pinnedCards({ application, home, context, view, saved }: ApplicationRequest) {
  const pinned = pinnedOf((await saved) ?? [])
  if (pinned.length === 0) return null
  const about = { application, home, context, earlier: await findEarlierData(application, context) }
  const cards = await inTurns(pinned, async (question) => {
    const card = cardOf(question, view.today)
    return <ReportCard card={card} drawn={await drawCard(card, about)} href={hrefOfSaved(home, question.address)} />
  })
  return (
    <section class="pinned-reports" aria-label="Pinned reports">
      <div class="heading">
        <h2>Pinned</h2>
        <p class="more">
          <a href={`${home}/saved-questions`}>Edit</a>
        </p>
      </div>
      <div class="cards">{cards}</div>
    </section>
  )
}
