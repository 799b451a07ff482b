import type { CollectingScope } from '../access/api-keys.ts'
import type { Event, EventProperties } from '../base/event.ts'
import { type IdentitySource, identify } from './identity.ts'
import { type SendingDevice, UNKNOWN_SENDER } from './sender.ts'
import type { VerifiedUser } from './verified-user.ts'
import type { EventContent } from './wire.ts'

/** What a request says besides its body. */
export interface EventArrival {
  /** Milliseconds since 1970 UTC. */
  readonly now: number
  readonly sender: SendingDevice
  /** The scope of the key. */
  readonly scope: CollectingScope
  /** The application's private key, PKCS#8 PEM; empty if it has none yet. Called only if there is a seal to open. */
  readonly privateKey: () => string
}

/** What is known of an event besides its content. */
interface Origin {
  /** Null: the time of the arrival. */
  readonly time: number | null
  readonly source: IdentitySource
  /** Whether the service sets or moves its time, so that a resend may get another one. */
  readonly isTimeAssigned: boolean
  readonly arrival: EventArrival
  readonly verifiedUser?: VerifiedUser | null
}

/** The event as it is kept. */
export function toEvent(
  { event }: EventContent,
  { time, source, isTimeAssigned, arrival, verifiedUser = null }: Origin,
): Event {
  const { name, telegramId, session, volume, params } = event
  const properties = verifiedUser ? verifiedUser.speakFor(event.properties) : event.properties
  return {
    name,
    time: time ?? arrival.now,
    telegramId,
    ...identify(source, { scope: arrival.scope, isTimeAssigned }),
    session,
    properties: withSender(properties, arrival.sender),
    volume,
    params,
  }
}

function withSender(properties: EventProperties, sender: SendingDevice): EventProperties {
  if (sender === UNKNOWN_SENDER) return properties
  return {
    ...properties,
    country: properties.country ?? sender.country,
    city: properties.city ?? sender.city,
    os: properties.os ?? sender.os,
    brand: properties.brand ?? sender.brand,
    model: properties.model ?? sender.model,
  }
}
