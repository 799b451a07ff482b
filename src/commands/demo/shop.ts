import type { Weighted } from './random.ts'

export interface Product {
  readonly slug: string
  /** In the messenger's Stars. */
  readonly price: number
  readonly tags: readonly string[]
}

export const PRODUCTS: Weighted<Product> = [
  [{ slug: 'lemon-box', price: 250, tags: ['fruit', 'bestseller'] }, 24],
  [{ slug: 'lemonade-kit', price: 420, tags: ['drink', 'gift'] }, 18],
  [{ slug: 'amalfi-lemons', price: 690, tags: ['fruit', 'premium', 'seasonal'] }, 12],
  [{ slug: 'lemon-tree', price: 1990, tags: ['plant', 'gift', 'premium'] }, 8],
  [{ slug: 'ginger-shot', price: 120, tags: ['drink', 'new'] }, 14],
  [{ slug: 'lemon-curd', price: 310, tags: ['pantry'] }, 12],
  [{ slug: 'lime-box', price: 230, tags: ['fruit'] }, 8],
  [{ slug: 'honey-lemon-tea', price: 280, tags: ['drink', 'pantry'] }, 4],
]

export const INTERESTS = ['fruit', 'drink', 'plant', 'pantry', 'gift']

export const SEARCHES: Weighted<string> = [
  ['lemon', 30],
  ['лимон', 18],
  ['lemonade', 14],
  ['gift', 10],
  ['tea', 9],
  ['limón', 6],
  ['نعناع', 4],
  ['organic honey', 5],
  ['mandarin', 4],
]

/** Links that bring people in all year round. */
export const SOURCES: Weighted<string> = [
  ['channel_lemonlife', 30],
  ['bio_link', 20],
  ['qr_stand', 12],
  ['blog', 10],
  ['partner_honeybot', 16],
  ['app_catalog', 12],
]

/** Campaigns that run for a few days each. */
export const CAMPAIGNS = [
  'ads_citrus_week',
  'influencer_mia',
  'ads_lemonade',
  'giveaway_tree',
  'channel_foodies',
  'ads_retarget_2',
  'influencer_timur',
]

export const WALLETS: Weighted<string> = [
  ['telegram-wallet', 44],
  ['tonkeeper', 32],
  ['mytonwallet', 12],
  ['tonhub', 6],
  ['okxTonWallet', 6],
]
