import { type ForeignEvent, type ForeignFields, firstOf, ownProperties, toFields, toWord } from './foreign.ts'

const OF_MIXPANEL = new Set(['time', 'distinct_id', 'token', 'language'])

/** An event as the raw export has it: https://docs.mixpanel.com/reference/raw-event-export */
export function readMixpanel(event: ForeignFields): ForeignEvent {
  const properties = toFields(event.properties)
  const { time, distinct_id: distinctId } = properties
  const id = toWord(properties.$insert_id)
  const user = firstOf(properties.$user_id, distinctId)
  return {
    name: event.event,
    time,
    user,
    // An id of Mixpanel is one within name, user and time only.
    id: id && `mixpanel ${JSON.stringify([id, event.event, distinctId, time])}`,
    session: properties.$session_id,
    context: {
      language: properties.language,
      country: properties.mp_country_code,
      city: properties.$city,
      os: properties.$os,
      device: properties.mp_lib,
      brand: firstOf(properties.$brand, properties.$manufacturer),
      model: firstOf(properties.$model, properties.$device),
    },
    params: ownProperties(properties, (name) => /^(\$|mp_)/.test(name) || OF_MIXPANEL.has(name)),
    content: event,
  }
}
