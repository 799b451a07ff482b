import { type ForeignEvent, type ForeignFields, firstOf, ownProperties, toFields, toWord } from './foreign.ts'

/** What its clients add to properties without a dollar sign: the project's key, and whose event it is once more. */
const OF_POSTHOG = new Set(['token', 'distinct_id'])

/** An event as batch exports have it: https://posthog.com/docs/data-pipelines/batch-exports/s3 */
export function readPosthog(event: ForeignFields): ForeignEvent {
  const properties = toFields(event.properties)
  const id = toWord(event.uuid)
  return {
    name: event.event,
    time: event.timestamp,
    user: event.distinct_id,
    id: id && `posthog ${id}`,
    session: properties.$session_id,
    context: {
      language: properties.$browser_language,
      country: firstOf(properties.$geoip_country_name, properties.$geoip_country_code),
      city: properties.$geoip_city_name,
      os: firstOf(properties.$os, properties.$os_name),
      device: properties.$device_type,
      brand: firstOf(properties.$device_manufacturer, properties.$device_brand),
      model: firstOf(properties.$device_model, properties.$device),
    },
    params: ownProperties(properties, (name) => name.startsWith('$') || OF_POSTHOG.has(name)),
    content: event,
  }
}
