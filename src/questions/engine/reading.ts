import type { ActivitySource } from '../../accounts/applications/placement.ts'
import type { RequestContext } from '../../http/context.ts'

/** How a question that databases answer reads activity. */
export function toReading({ questions, env }: Pick<RequestContext, 'questions' | 'env'>): ActivitySource {
  return { env, directory: questions, timeout: 'question' }
}
