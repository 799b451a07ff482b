import type { Reading } from '../applications/placement.ts'
import type { RequestContext } from '../context.ts'

/** What a question that databases answer reads with. */
export function toReading({ questions, env }: Pick<RequestContext, 'questions' | 'env'>): Reading {
  return { env, directory: questions, timeout: 'question' }
}
