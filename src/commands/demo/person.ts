import { arrivedThrough, telegramIdOf } from './arrivals.ts'
import { type Devices, drawDevices } from './devices.ts'
import type { Life } from './life.ts'
import { drawName, type PersonName } from './names.ts'
import { drawPlace, type Place } from './places.ts'
import { Dice, type Weighted } from './random.ts'
import { WALLETS } from './shop.ts'

const DRAW = { person: 31 } as const

interface Wallet {
  readonly provider: string
  readonly address: string
  /** Days after the arrival. */
  readonly connectedAt: number
  /** What it usually holds, in TON. */
  readonly balance: number
}

export interface Person {
  readonly life: Life
  readonly telegramId: number
  readonly place: Place
  readonly language: string | null
  readonly name: PersonName
  readonly devices: Devices
  readonly premium: { readonly atFirst: boolean; readonly changesAt: number }
  readonly arrivedThrough: string | null
  readonly referrerType: string
  readonly allowsMessages: boolean
  readonly wallet: Wallet | null
}

const REFERRER_TYPES: Weighted<string> = [
  ['sender', 34],
  ['private', 24],
  ['channel', 20],
  ['supergroup', 14],
  ['group', 4],
  ['N/A', 4],
]

const PREMIUM_SHARE = 0.068
const WALLET_SHARE: Record<Life['kind'], number> = {
  'passer-by': 0.02,
  taster: 0.08,
  regular: 0.22,
  loyal: 0.55,
  returner: 0.12,
}

/** Everything about a user that does not change from visit to visit, or whose change is settled from the start. */
export function personOf(life: Life, cohort: number, index: number): Person {
  const dice = new Dice(life.seed, DRAW.person)
  const place = drawPlace(dice)
  return {
    life,
    telegramId: telegramIdOf(cohort, index),
    place,
    language: dice.weighted(place.languages),
    name: drawName(dice, dice.weighted(place.names)),
    devices: drawDevices(dice, place.iphones),
    premium: drawPremium(dice, place.premium * (life.kind === 'loyal' ? 1.6 : 1)),
    arrivedThrough: arrivedThrough(cohort, life.seed),
    referrerType: dice.weighted(REFERRER_TYPES),
    allowsMessages: dice.chance(0.62),
    wallet: dice.chance(WALLET_SHARE[life.kind]) ? drawWallet(dice) : null,
  }
}

export function isPremium({ premium }: Person, age: number): boolean {
  return premium.atFirst === age < premium.changesAt
}

/** Some subscriptions run out, and some users take one after a while. */
function drawPremium(dice: Dice, affinity: number) {
  const atFirst = dice.chance(PREMIUM_SHARE * affinity)
  const changes = dice.chance(atFirst ? 0.3 : 0.05 * affinity)
  return { atFirst, changesAt: changes ? Math.round(dice.skewed(2, 120)) : Number.POSITIVE_INFINITY }
}

const ADDRESS_LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']

export function drawAddress(dice: Dice): string {
  return `UQ${Array.from({ length: 46 }, () => dice.pick(ADDRESS_LETTERS)).join('')}`
}

function drawWallet(dice: Dice): Wallet {
  return {
    provider: dice.weighted(WALLETS),
    address: drawAddress(dice),
    connectedAt: dice.chance(0.4) ? 0 : Math.round(dice.skewed(1, 20)),
    balance: dice.skewed(0.2, 900),
  }
}
