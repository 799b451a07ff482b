import { type Random, weighted } from './random.ts'

/** The demo application, described: who visits the shop, how often, and what they do there. `history.ts` plays it. */

/** Kinds of users, by their share in percent: passers-by, those who try it, regular ones, loyal ones, those who return late. */
// `stays`: days until the last visit. `returns`: days after the first one on which it really begins. `visits`: probability of a
// visit on a day, at first and in the long run. The others: of one more thing to do, one more visit that day, and a purchase.
// biome-ignore format: a table is read by its columns
export const HABITS = weighted([
  [{ stays: [1, 1], returns: [0, 0], visits: [0, 0], goesOn: 0.5, comesAgain: 0.06, shops: 0.06 }, 54],
  [{ stays: [2, 14], returns: [0, 0], visits: [0.45, 0.2], goesOn: 0.55, comesAgain: 0.2, shops: 0.1 }, 27],
  [{ stays: [20, 120], returns: [0, 0], visits: [0.45, 0.17], goesOn: 0.6, comesAgain: 0.22, shops: 0.12 }, 12],
  [{ stays: [80, 180], returns: [0, 0], visits: [0.75, 0.4], goesOn: 0.65, comesAgain: 0.34, shops: 0.15 }, 3],
  [{ stays: [3, 40], returns: [31, 75], visits: [0.3, 0.12], goesOn: 0.55, comesAgain: 0.18, shops: 0.1 }, 4],
] as const)
/** The longest time that a user stays, and the time in which a user's first eagerness fades. */
export const LIFE_DAYS = { longest: 180, eager: 6 }
/** From Sunday on. */
export const BY_WEEKDAY = [1.2, 0.9, 0.88, 0.9, 0.94, 1.04, 1.24]
const HOUR_WEIGHTS = [9, 6, 4, 4, 5, 8, 15, 26, 34, 38, 40, 42, 50, 50, 46, 46, 50, 58, 66, 70, 72, 66, 48, 22]
/** The hours of a UTC day, each as often as its weight. */
export const HOURS = weighted(HOUR_WEIGHTS.map((weight, hour) => [hour, weight] as const))

/** A campaign begins every eleven days and raises the arrivals of its first days by these shares. */
export const CAMPAIGNS = {
  names: [
    'tgads-citrus_week',
    'ads_instagram-mia_story',
    'tgads-lemonade',
    'ads_tiktok-giveaway_tree',
    'ads_foodies-tasting_post',
  ],
  everyDays: 11,
  pulls: [0.7, 0.5, 0.3, 0.2, 0.1],
}
/** In front of the id of the user whose personal link brought somebody. */
export const REFERRAL = 'ref_'
/** What brings all others. Null: not known. */
export const SOURCES = [null, null, null, 'channel_lemonlife', 'partner_honeybot', 'bio_link', 'qr_stand', REFERRAL]
/** Made-up users of an advertisement: once a month, in one minute, each just starts the bot. `size`: in arrivals of an average day. */
export const FARM = { name: 'ads_boostnet-users_cheap', everyDays: 30, onDay: 17, size: 2.5, most: 2_000 }
interface DemoSourceRule {
  readonly pattern: string
  readonly set: { readonly source?: string; readonly medium?: string }
}

/** What all these mean; two are left as they are. */
export const SOURCE_RULES: readonly DemoSourceRule[] = [
  { pattern: `${REFERRAL}{referrer}`, set: { source: 'Referral' } },
  { pattern: 'tgads-{campaign}', set: { source: 'Telegram Ads', medium: 'cpc' } },
  { pattern: 'ads_{source}-{campaign}_{content}', set: { medium: 'paid' } },
  { pattern: 'channel_{campaign}', set: { source: 'Telegram channels' } },
  { pattern: 'partner_{campaign}', set: { source: 'Partner bots' } },
]
/** What brings back those who return late. */
export const WINBACK = 'winback_push'

/** Where people live. A language or city that is listed twice is twice as frequent. */
// biome-ignore format: a table is read by its columns
export const COUNTRIES = weighted([
  [['RU', 'ru ru ru ru ru ru en', 'Moscow|Moscow|Saint Petersburg|Kazan', 'Александр Мария Дмитрий Анна Тимур'], 22],
  [['IN', 'en en en hi', 'Mumbai|Delhi|Bengaluru|Kochi', 'Rahul Priya Arjun Ananya राहुल नेहा'], 13],
  [['ID', 'id id id id id en', 'Jakarta|Jakarta|Surabaya|Bandung', 'Budi Siti Agus Dewi Rizky'], 9],
  [['US', 'en en en en en es ru', 'New York|New York|Miami|Chicago', 'Alex Emma Jack Olivia Sophie'], 8],
  [['BR', 'pt-br pt-br pt-br pt-br en', 'São Paulo|São Paulo|Recife', 'João Ana Lucas Beatriz'], 7],
  [['DE', 'de de de de de en ru tr', 'Berlin|Berlin|Hamburg|Munich', 'Lukas Anna Jonas Jürgen'], 7],
  [['UA', 'uk uk uk uk ru en', 'Kyiv|Kyiv|Lviv|Odesa', 'Олександр Оксана Андрій Юлія'], 6],
  [['TR', 'tr tr tr tr tr en', 'Istanbul|Istanbul|Ankara|Izmir', 'Mehmet Ayşe Emre Çağla'], 6],
  [['UZ', 'uz uz ru', 'Tashkent|Tashkent|Samarkand', 'Jasur Aziz Sardor Dilnoza'], 6],
  [['IR', 'fa fa fa fa en', 'Tehran|Tehran|Mashhad|Isfahan', 'علی زهرا محمد سارا'], 6],
  [['NG', 'en', 'Lagos|Lagos|Abuja|Ibadan', 'Chidi Amina Emeka Ngozi'], 5],
  [['ES', 'es es es es es en', 'Madrid|Barcelona|Valencia', 'Lucía Mateo Sofía Begoña'], 5],
] as const)
export const DEVICES = weighted([
  [{ device: 'android', os: 'Android', brand: 'Samsung', model: 'SM-A546E' }, 30],
  [{ device: 'android', os: 'Android', brand: 'Xiaomi', model: 'Redmi Note 13 Pro' }, 32],
  [{ device: 'ios', os: 'iOS', brand: 'Apple', model: 'iPhone' }, 26],
  [{ device: 'tdesktop', os: 'Windows', brand: null, model: null }, 4],
  [{ device: 'weba', os: 'Windows', brand: null, model: null }, 4],
  [{ device: 'macos', os: 'Mac OS', brand: 'Apple', model: 'Macintosh' }, 4],
])
export const REFERRERS = weighted([['sender', 4] as const, ['private', 3], ['channel', 2], ['supergroup', 2]])
export const SHARES = { premium: 0.06, wallet: 0.25, username: 0.66, checksOut: 0.8, paysFromWallet: 0.6 }
/** The share of those who came so far that take each step of the onboarding. */
export const ONBOARDING = [0.96, 0.8, 0.76, 1]

/** What matters to what happens in a visit. */
export interface Visit {
  readonly random: Random
  readonly habit: (typeof HABITS)[number]
  readonly isFirst: boolean
  readonly os: string
  /** How many steps of the onboarding the user takes. */
  readonly onboarding: number
  readonly wallet: string | null
}

/** An event, its parameters, and the seconds since the one before, where a short pause is more likely than a long one. */
export type VisitStep = readonly [
  name: string,
  params?: Readonly<Record<string, unknown>> | null,
  pause?: readonly [from: number, to: number],
]

/** Prices are in the messenger's Stars. */
const PRODUCTS = weighted([
  [{ product: 'lemon-box', price: 250, tags: ['fruit', 'bestseller'] }, 8],
  [{ product: 'lemonade-kit', price: 420, tags: ['drink', 'gift'] }, 6],
  [{ product: 'ginger-shot', price: 120, tags: ['drink', 'new'] }, 5],
  [{ product: 'amalfi-lemons', price: 690, tags: ['fruit', 'seasonal'] }, 4],
  [{ product: 'lemon-tree', price: 1990, tags: ['plant', 'gift'] }, 2],
])

/** What a user does between coming and going, and how often. */
const PASTIMES = weighted<(random: Random) => readonly VisitStep[]>([
  [(random) => viewProduct(random, random.pick(PRODUCTS)), 36],
  [() => openPage('Recipes', '/recipes'), 14],
  [() => openPage('Friends', '/friends'), 5],
  [(random) => [['Search', { query: random.pick(SEARCHES), results: random.whole(0, 9) }, [2, 20]]], 11],
  [(random) => [['Pageview /game'], ['Game finished', { score: random.whole(2, 250) * 10 }, [20, 110]]], 12],
  [() => [['BackButtonPressed']], 10],
  [(random) => [['PopupClosed', { button_id: random.pick(['ok', 'close']) }]], 5],
  [() => [['Telegram link opened: https://t.me/lemon_shop_news']], 4],
])
const SEARCHES = ['lemon', 'lemon', 'лимон', 'lemonade', 'gift', 'tea', 'limón', 'نعناع']

/** What happens in a visit, from the page's load to its end. */
export function* stepsOf(visit: Visit): Generator<VisitStep> {
  const { random, habit, onboarding } = visit
  yield ['Session start', null, [0.08, 0.9]]
  yield ['Pageview /', null, [0.01, 0.2]]
  if (visit.isFirst) yield* onboardingOf(random).slice(0, onboarding)
  if (visit.wallet && random.chance(0.4)) yield ['Wallet', { wallet: visit.wallet, chain: '-239', wallet_type: 'ton' }]
  while (random.chance(habit.goesOn)) yield* random.pick(PASTIMES)(random)
  if (onboarding === ONBOARDING.length && random.chance(habit.shops)) yield* goShopping(visit)
  if (random.chance(0.72)) yield ['Session end', null, [1, 45]]
}

function onboardingOf(random: Random): readonly VisitStep[] {
  return [
    ['Onboarding started', { variant: random.pick(['a', 'b']) }, [0.8, 20]],
    ['Onboarding step 2', { interest: random.pick(['fruit', 'drink', 'gift']) }, [3, 40]],
    ['WriteAccessRequested', { status: 'allowed' }, [4, 45]],
    ['Onboarding finished', null, [0.5, 20]],
  ]
}

function viewProduct(random: Random, product: (typeof PRODUCTS)[number]): readonly VisitStep[] {
  const params = { ...product, in_stock: random.chance(0.94) }
  return [[`Pageview /product/${product.product}`], ['Product viewed', params, [0.05, 0.4]]]
}

function openPage(text: string, path: string): readonly VisitStep[] {
  return [
    [`[TS] Click | ${text}`, { tag: 'a', text, href: path }],
    [`Pageview ${path}`, null, [0.05, 0.5]],
  ]
}

/** From the shelf to the cart, the order and the payment; some go no further at each step. */
function* goShopping({ random, os, wallet }: Visit): Generator<VisitStep> {
  let [items, order_total] = [0, 0]
  do {
    const product = random.pick(PRODUCTS)
    items += 1
    order_total += product.price
    yield* viewProduct(random, product)
    yield ['[TS] Click | Add to cart', { tag: 'button', text: 'Add to cart', class: 'buy' }]
    yield ['Cart updated', { items, total: order_total, added: product.product }, [0.1, 0.5]]
  } while (items < 4 && random.chance(0.35))
  if (!random.chance(SHARES.checksOut)) return
  yield ['Pageview /checkout']
  yield ['MainButtonPressed', null, [4, 60]]
  yield ['Order placed', { order_total, items, delivery: random.pick(['courier', 'pickup', 'post']), currency: 'XTR' }]
  const method = wallet && random.chance(SHARES.paysFromWallet) ? 'ton' : 'stars'
  if (method === 'ton') yield ['[TS] Transaction signed', { from: wallet, amount: order_total * 4_200_000 }, [4, 50]]
  else {
    // The leak that a funnel finds: on Android every second payment in Stars fails.
    const isPaid = random.chance(os === 'Android' ? 0.5 : 0.92)
    yield ['InvoiceClosed', { slug: 'cart', status: isPaid ? 'paid' : 'failed' }, [3, 40]]
    if (!isPaid) return
  }
  yield ['Order paid', { order_total, items, method }, [0.3, 3]]
  yield ['Pageview /thanks']
}
