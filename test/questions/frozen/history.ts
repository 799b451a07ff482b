import { history } from '../../../src/commands/demo/history.ts'

/** The moment of all questions: a Sunday, in half of the world already Monday. */
export const NOW = Date.UTC(2026, 10, 22, 19, 14, 15, 678)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A user of the demo history with many events, and one who invited others. */
export const BUSY_USER = 5178829621
export const INVITER = 1

/** What the demo history lacks: odd names and values, ties, chains of invitations, late and refunded payments. */
function* oddEvents() {
  const names = ['Order paid', 'größe 😀', "'; drop table", '__proto__', 'constructor', 'Donation', 'telegram_message']
  const values = [0.1, '12.50', 1e21, -3, true, null, ['a', 'b', 'a'], [], { deep: 1 }, 'N/A', '__proto__']
  const contexts = [
    { os: 'a', brand: 'b, c', language: 'en', is_premium: true, start_parameter: 'ads_tg-spring_banner7' },
    { os: 'a, b', brand: 'c', country: 'DE', write_access: true, start_parameter: null },
    { city: 'São Paulo', country: 'BR', start_parameter: 'ref_1' },
    { device: 'ios', model: '__proto__', start_parameter: 'ref_2', verified: true },
    { language: 'pt-br', start_parameter: 'ref_5' },
  ]
  // Some have the same instant, some are close to midnight in either zone.
  const distances = [0, 1, 70_000, 19.25 * HOUR_MS, HOUR_MS]
  for (let place = 0; place < 120; place++) {
    const telegram_id = 1 + (place % 9)
    const amount = values[place % values.length]
    const messenger = {
      content: place % 2 ? 'successful_payment' : 'refunded_payment',
      currency: ['XTR', 'ton', 'EUR'][place % 3],
    }
    yield {
      event_id: `odd ${place}`,
      event_type: names[place % names.length] as string,
      telegram_id,
      datetime: NOW - (place % 40) * DAY_MS - (distances[place % distances.length] as number),
      ...contexts[(telegram_id * 7) % contexts.length],
      params: {
        ...messenger,
        total_amount: place * 1.25,
        order_total: amount,
        tags: values[(place * 3) % values.length],
        'with, comma': amount,
      },
    }
  }
}

/** Everything that happened, in the form that servers send. */
export function frozenHistory() {
  const demo = [...history({ events: 2500, days: 75, now: NOW })].flat()
  return [...demo.map((event, place) => ({ ...event, event_id: `demo ${place}` })), ...oddEvents()]
}
