import { type ForeignEvent, type ForeignFields, firstOf, toFields, toWord } from './foreign.ts'

/** An event as the Export API has it: https://amplitude.com/docs/apis/analytics/export */
export function readAmplitude(event: ForeignFields): ForeignEvent {
  const id = toWord(firstOf(event.uuid, event.$insert_id, event.insert_id))
  const user = toFields(event.user_properties)
  return {
    name: event.event_type,
    time: firstOf(event.event_time, event.client_event_time),
    user: event.user_id,
    id: id && `amplitude ${id}`,
    // -1 stands for an event outside of any session.
    session: event.session_id === -1 ? null : event.session_id,
    context: {
      language: event.language,
      is_premium: user.is_premium,
      country: event.country,
      city: event.city,
      os: event.os_name,
      device: event.platform,
      brand: firstOf(event.device_brand, event.device_manufacturer),
      model: firstOf(event.device_model, event.device_family, event.device_type),
    },
    params: toFields(event.event_properties),
    content: event,
  }
}
