import { weighted } from './random.ts'
import type { Visit } from './session.ts'

/** Prices are in the messenger's Stars. */
const PRODUCTS = weighted([
  [{ product: 'lemon-box', price: 250, tags: ['fruit', 'bestseller'] }, 8],
  [{ product: 'lemonade-kit', price: 420, tags: ['drink', 'gift'] }, 6],
  [{ product: 'ginger-shot', price: 120, tags: ['drink', 'new'] }, 5],
  [{ product: 'amalfi-lemons', price: 690, tags: ['fruit', 'seasonal'] }, 4],
  [{ product: 'lemon-curd', price: 310, tags: ['pantry'] }, 4],
  [{ product: 'lemon-tree', price: 1990, tags: ['plant', 'gift'] }, 2],
])

const MOST_PRODUCTS = 4
const ANOTHER_PRODUCT = 0.35
const CHECKS_OUT = 0.8
const PAYS_FROM_WALLET = 0.6
/** The leak that a funnel finds: on Android every second payment in Stars fails. */
const STARS_ARRIVE = { Android: 0.5, elsewhere: 0.92 }
/** What a Star costs, near enough. */
const TON_PER_STAR = 0.0042
/** As wallets write amounts: whole nanotons, as text. */
export const NANOTONS = 1e9
const SHOP_ADDRESS = 'UQDLemonShop7a3VfQ1x0mYkPq2sR8tWcBzN5hJgU4oEiKdXvAl9'

export function lookAtProduct({ add, random }: Visit) {
  const product = random.pick(PRODUCTS)
  add(`Pageview /product/${product.product}`)
  add('Product viewed', { ...product, in_stock: random.chance(0.94) }, [0.05, 0.4])
  return product
}

/** From the shelf to the cart, the order and the payment; some go no further at each step. */
export function goShopping(visit: Visit): void {
  const { add, random, person } = visit
  const { items, total: order_total } = fillCart(visit)
  if (!random.chance(CHECKS_OUT)) return
  add('Pageview /checkout')
  add('MainButtonPressed', undefined, [4, 60])
  const delivery = random.pick(['courier', 'pickup', 'post'])
  add('Order placed', { order_total, items, delivery, currency: 'XTR' })
  const method = person.wallet && random.chance(PAYS_FROM_WALLET) ? 'ton' : 'stars'
  if (method === 'ton') payFromWallet(visit, order_total)
  else if (!payInStars(visit)) return
  add('Order paid', { order_total, items, method }, [0.3, 3])
  add('Pageview /thanks')
}

function fillCart(visit: Visit): { items: number; total: number } {
  let [items, total] = [0, 0]
  do {
    const { product, price } = lookAtProduct(visit)
    items += 1
    total += price
    visit.add('[TS] Click | Add to cart', { tag: 'button', text: 'Add to cart', class: 'buy' })
    visit.add('Cart updated', { items, total, added: product }, [0.1, 0.5])
  } while (items < MOST_PRODUCTS && visit.random.chance(ANOTHER_PRODUCT))
  return { items, total }
}

/** Returns whether the payment arrives. */
function payInStars({ add, random, person }: Visit): boolean {
  const isPaid = random.chance(person.context.os === 'Android' ? STARS_ARRIVE.Android : STARS_ARRIVE.elsewhere)
  add('Invoice opened: cart', { slug: 'cart' })
  add('InvoiceClosed', { slug: 'cart', status: isPaid ? 'paid' : 'failed' }, [3, 40])
  return isPaid
}

function payFromWallet({ add, person }: Visit, stars: number): void {
  const message = { address: SHOP_ADDRESS, amount: String(Math.round(stars * TON_PER_STAR * NANOTONS)) }
  const transaction = { from: person.wallet?.address, messages: [message] }
  add('[TS] Transaction sent for signature', transaction)
  add('[TS] Transaction signed', transaction, [4, 50])
}
