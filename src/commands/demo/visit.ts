import { weighted } from './random.ts'
import type { Visit } from './session.ts'
import { goShopping, lookAtProduct, NANOTONS } from './shop.ts'

/** What a user does between coming and going, and how often. */
const PASTIMES = weighted<(visit: Visit) => void>([
  [lookAtProduct, 36],
  [(visit) => openPage(visit, 'Recipes', '/recipes'), 14],
  [(visit) => openPage(visit, 'Friends', '/friends'), 5],
  [({ add, random }) => add('Search', { query: random.pick(SEARCHES), results: random.whole(0, 9) }, [2, 20]), 11],
  [playGame, 12],
  [({ add }) => add('BackButtonPressed'), 10],
  [({ add, random }) => add('PopupClosed', { button_id: random.pick(['ok', 'close']) }), 5],
  [({ add }) => add('Telegram link opened: https://t.me/lemon_shop_news'), 4],
])
const SEARCHES = ['lemon', 'lemon', 'лимон', 'lemonade', 'gift', 'tea', 'limón', 'نعناع']
const MOST_PASTIMES = 14
/** A wallet tells its balance when it comes back with the page, now and then. */
const TELLS_WALLET = 0.4

/** What happens from the page's load to its end. */
export function spend(visit: Visit): void {
  const { add, random, person, habit, age, place } = visit
  add('Session start', undefined, [0.08, 0.9])
  add('Pageview /', undefined, [0.01, 0.2])
  if (age === 0 && place === 0) takeOnboarding(visit)
  if (place === 0 && random.chance(TELLS_WALLET)) tellWallet(visit)
  for (let done = 0; done < MOST_PASTIMES && random.chance(habit.goesOn); done++) random.pick(PASTIMES)(visit)
  if (person.onboarding === 3 && random.chance(habit.shops)) goShopping(visit)
  if (random.chance(0.72)) add('Session end', undefined, [1, 45])
}

function takeOnboarding({ add, random, person: { onboarding } }: Visit): void {
  if (onboarding > 0) add('Onboarding started', { variant: random.pick(['a', 'b']) }, [0.8, 20])
  if (onboarding > 1) add('Onboarding step 2', { interest: random.pick(['fruit', 'drink', 'gift']) }, [3, 40])
  if (onboarding > 2) add('WriteAccessRequested', { status: 'allowed' }, [4, 45])
  if (onboarding > 2) add('Onboarding finished', undefined, [0.5, 20])
}

function tellWallet({ add, random, person: { wallet } }: Visit): void {
  if (!wallet) return
  const balance = String(Math.round(wallet.ton * random.logUniform(0.5, 2) * NANOTONS))
  add('Wallet', { wallet: wallet.address, provider: wallet.provider, chain: '-239', wallet_type: 'ton', balance })
}

function openPage({ add }: Visit, text: string, path: string): void {
  add(`[TS] Click | ${text}`, { tag: 'a', text, href: path })
  add(`Pageview ${path}`, undefined, [0.05, 0.5])
}

function playGame({ add, random }: Visit): void {
  const score = Math.round(random.logUniform(20, 2_500))
  add('Pageview /game')
  add('Game finished', { score, level: 1 + Math.floor(score / 250), won: score > 600 }, [20, 110])
}
