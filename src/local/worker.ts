/** What the runtime of `npm start` runs: the Worker as it is deployed, and beside it the queue that stands in for the platform's. */
export { ApplicationObject, default } from '../index.ts'
export { DeadLetterQueueObject, DeadLetters, Events, QueueObject } from './queue.ts'
