import { getJson } from './client.ts'

/** The JSON that the service answers. */
export async function getDirectly<Answer>(path: string, key: string): Promise<Answer> {
  return (await getJson(path, key)).json<Answer>()
}
