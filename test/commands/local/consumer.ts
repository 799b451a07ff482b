/** A Worker with the local queue, whose consumer does what the test tells it. */
export { DeadLetterQueueObject, DeadLetters, Events, QueueObject } from '../../../src/commands/local/queue.ts'

/** A delivery, as the test gets it. */
export interface Delivery {
  readonly queue: string
  readonly messages: readonly { readonly body: string; readonly attempts: number; readonly timestamp: string }[]
}

/** What the consumer is to do with a delivery: what `orders` does not name is acknowledged. */
export interface Orders {
  readonly orders?: Readonly<Record<string, 'retry' | 'retry later'>>
  readonly fails?: boolean
}

interface ConsumerEnv {
  readonly EVENTS: Queue
  readonly TEST: Fetcher
}

const LATER_SECONDS = 2

export default {
  async fetch(request, env) {
    const bodies = await request.json<string[]>()
    try {
      await env.EVENTS.sendBatch(bodies.map((body) => ({ body, contentType: 'text' })))
      return new Response('taken')
    } catch (error) {
      return new Response(String(error), { status: 503 })
    }
  },
  async queue(batch, env) {
    const { queue } = batch
    const messages = batch.messages.map(({ body, attempts, timestamp }) => ({ body, attempts, timestamp }))
    const response = await env.TEST.fetch('http://test', { method: 'POST', body: JSON.stringify({ queue, messages }) })
    const { orders = {}, fails } = await response.json<Orders>()
    for (const message of batch.messages) {
      const order = orders[message.body]
      if (order === undefined) message.ack()
      else message.retry(order === 'retry later' ? { delaySeconds: LATER_SECONDS } : {})
    }
    if (fails) throw new Error('told to')
  },
} satisfies ExportedHandler<ConsumerEnv, string>
