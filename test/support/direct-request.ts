import { getJson } from './client.ts'

/** The JSON that the service answers, without its warnings: random questions ask for names that do not occur. */
export async function getDirectly<Answer>(path: string, key: string): Promise<Answer> {
  const { warnings: _, ...answer } = await (await getJson(path, key)).json<Answer & { warnings?: unknown }>()
  return answer as Answer
}
