import { lookAt } from './checkout.ts'
import type { Life } from './life.ts'
import type { Weighted } from './random.ts'
import type { Session } from './session.ts'
import { PRODUCTS, SEARCHES } from './shop.ts'

/** What a user does between coming and going, and how often. */
const PASTIMES: Weighted<(session: Session) => void> = [
  [(session) => lookAt(session, session.dice.weighted(PRODUCTS)), 34],
  [(session) => visitPage(session, 'Recipes', '/recipes'), 14],
  [search, 10],
  [playGame, 12],
  [(session) => session.add('BackButtonPressed'), 9],
  [(session) => visitPage(session, 'Friends', '/friends'), 5],
  [openSettings, 3],
  [(session) => session.add('PopupClosed', { button_id: session.dice.pick(['ok', 'close', 'cancel']) }), 4],
  [(session) => session.add('Telegram link opened: https://t.me/lemon_shop_news'), 2.5],
  [(session) => session.add('Link opened: https://lemon.example/blog/limoncello'), 1.5],
  [(session) => session.add('Story shared: https://lemon.example/stories/tree.jpg'), 1],
  [(session) => session.add('HomeScreenAdded'), 0.6],
  [(session) => session.add('Fullscreen on'), 1.4],
]

const MORE_TO_DO: Record<Life['kind'], number> = {
  'passer-by': 0.4,
  taster: 0.48,
  regular: 0.5,
  loyal: 0.56,
  returner: 0.48,
}

const MOST_PASTIMES = 14

export function passTime(session: Session): void {
  const { dice, person } = session
  if (person.life.kind === 'loyal' && dice.chance(0.4)) claimBonus(session)
  for (let done = 0; done < MOST_PASTIMES && dice.chance(MORE_TO_DO[person.life.kind]); done++)
    dice.weighted(PASTIMES)(session)
}

function visitPage(session: Session, text: string, path: string): void {
  session.add(`[TS] Click | ${text}`, { tag: 'a', text, href: path })
  session.add(`Pageview ${path}`, undefined, [0.05, 0.5])
}

function search(session: Session): void {
  const { dice } = session
  session.add('Search', { query: dice.weighted(SEARCHES), results: dice.whole(0, 9) }, [2, 20])
}

function playGame(session: Session): void {
  const { dice } = session
  const score = Math.round(dice.skewed(20, 2_500))
  session.add('Pageview /game')
  session.add('Game finished', { score, level: 1 + Math.floor(score / 250), won: score > 600 }, [20, 110])
}

function claimBonus(session: Session): void {
  const streak = 1 + (session.age % 7)
  session.add('Daily bonus claimed', { streak, points: 10 * streak })
}

function openSettings(session: Session): void {
  session.add('SettingsButtonPressed')
  session.add('Pageview /settings', undefined, [0.05, 0.5])
}
