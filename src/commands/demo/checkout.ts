import { drawAddress } from './person.ts'
import type { Dice } from './random.ts'
import type { Session } from './session.ts'
import { PRODUCTS, type Product } from './shop.ts'

const DELIVERIES = ['courier', 'pickup', 'post'] as const
/** What 1000 Stars cost in TON, near enough. */
const TON_PER_STAR = 0.0042
const NANOTONS = 1e9

export interface Cart {
  readonly products: readonly Product[]
  readonly total: number
}

export function lookAt(session: Session, product: Product): void {
  const { slug, price, tags } = product
  session.add(`Pageview /product/${slug}`)
  session.add('Product viewed', { product: slug, price, tags, in_stock: session.dice.chance(0.94) }, [0.05, 0.4])
}

/** From the shelf to the order, under the name that fits: the first order has one of its own. */
export function order(session: Session, name: 'First order' | 'Order placed'): Cart {
  const { dice } = session
  const cart = fillCart(session)
  session.add('Pageview /checkout')
  session.add('MainButtonPressed', undefined, [4, 60])
  session.add(name, {
    order_total: cart.total,
    currency: 'XTR',
    items: cart.products.length,
    products: cart.products.map(({ slug }) => slug),
    delivery: dice.pick(DELIVERIES),
    gift: dice.chance(0.14),
  })
  return cart
}

/** Coming back for an order that was left unpaid. */
export function reopen(session: Session): Cart {
  session.add('Pageview /orders')
  session.add('[TS] Click | Pay now', { tag: 'button', text: 'Pay now', id: 'pay' })
  return toCart([session.dice.weighted(PRODUCTS)])
}

export function pay(session: Session, cart: Cart): void {
  const isWallet = hasWallet(session) && session.dice.chance(0.6)
  if (isWallet) payFromWallet(session, cart)
  else payInStars(session, cart, 'paid')
  const method = isWallet ? 'ton' : 'stars'
  session.add('Order paid', { order_total: cart.total, method, items: cart.products.length }, [0.3, 3])
  session.add('Pageview /thanks')
}

export function giveUpPaying(session: Session, cart: Cart): void {
  payInStars(session, cart, session.dice.chance(0.85) ? 'cancelled' : 'failed')
  if (session.dice.chance(0.5)) session.add('PopupClosed', { button_id: session.dice.pick(['later', 'cancel']) })
}

export function hasWallet({ person, age }: Session): boolean {
  return person.wallet !== null && age >= person.wallet.connectedAt
}

function fillCart(session: Session): Cart {
  const { dice } = session
  const products: Product[] = []
  do {
    const product = dice.weighted(PRODUCTS)
    lookAt(session, product)
    session.add('[TS] Click | Add to cart', { tag: 'button', text: 'Add to cart', class: 'buy' })
    products.push(product)
    const { total } = toCart(products)
    session.add('Cart updated', { items: products.length, total, added: product.slug }, [0.1, 0.5])
  } while (products.length < 4 && dice.chance(0.35))
  return toCart(products)
}

function toCart(products: readonly Product[]): Cart {
  return { products, total: products.reduce((sum, { price }) => sum + price, 0) }
}

function payInStars(session: Session, { products }: Cart, status: 'paid' | 'cancelled' | 'failed'): void {
  const slug = products.length > 1 ? 'cart' : (products[0]?.slug ?? 'cart')
  session.add(`Invoice opened: ${slug}`, { slug })
  session.add('InvoiceClosed', { slug, status }, [3, 40])
}

function payFromWallet(session: Session, { total }: Cart): void {
  const { dice, person } = session
  const message = { address: shopAddress(dice), amount: toNanotons(total * TON_PER_STAR) }
  const transaction = { from: person.wallet?.address, messages: [message] }
  session.add('[TS] Transaction sent for signature', transaction)
  session.add('[TS] Transaction signed', transaction, [4, 50])
}

function shopAddress(dice: Dice): string {
  return dice.chance(0.9) ? 'UQDLemonShop7a3VfQ1x0mYkPq2sR8tWcBzN5hJgU4oEiKdXvAl9' : drawAddress(dice)
}

/** As wallets write amounts: whole nanotons, as text. */
export function toNanotons(ton: number): string {
  return String(Math.round(ton * NANOTONS))
}
