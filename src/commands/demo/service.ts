import { CommandFailure } from '../failure.ts'
import { objectIn, refusalOf, requestOnce, requestPatiently, type Service } from '../requests.ts'
import type { DemoEvent } from './session.ts'

/** Makes sure, before anything is sent, that the service runs and knows the key. Throws `CommandFailure`. */
export async function requireService(service: Service): Promise<void> {
  const headers = { authorization: `Bearer ${service.apiKey}` }
  const response = await requestOnce(service, { path: '/v1/client/config', headers })
  const answer = await objectIn(response)
  if (!response.ok) throw refusalOf(response, service, answer)
}

/** Sends up to 500 events. Throws `CommandFailure` if the service refuses them or stays away. */
export async function sendEvents(service: Service, events: readonly DemoEvent[]): Promise<void> {
  const response = await requestPatiently(service, {
    path: '/v1/client/events',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(events),
  })
  const answer = await objectIn(response)
  if (!response.ok) throw refusalOf(response, service, answer)
  if ((answer as { accepted?: unknown }).accepted === events.length) return
  throw new CommandFailure(`${service.address} is not Mauve: it did not say how many events it accepted.`)
}
