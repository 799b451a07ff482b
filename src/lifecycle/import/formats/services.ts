import { type ForeignEvent, type ForeignFields, toFields, toWord } from './foreign.ts'

/** A field of an event, or the first of several that has a value. `properties.field` is one of its `params`. */
type Source = string | readonly string[]

/** The fields of a service's events. */
interface Service {
  readonly name: Source
  readonly time: Source
  readonly user: Source
  readonly id: Source
  /** Other fields that make the id unique. */
  readonly idWithin?: readonly string[]
  readonly session: Source
  /** The session of an event outside any session. */
  readonly noSession?: unknown
  readonly context: Readonly<Record<string, Source>>
  /** The field with the event's parameters, among which the service adds fields of its own. */
  readonly params: string
  /** The names of those. */
  readonly added?: RegExp
}

/** Services whose exports have a JSON object per line. */
export const SERVICES = {
  // https://amplitude.com/docs/apis/analytics/export
  amplitude: {
    name: 'event_type',
    time: ['event_time', 'client_event_time'],
    user: 'user_id',
    id: ['uuid', '$insert_id', 'insert_id'],
    session: 'session_id',
    noSession: -1,
    context: {
      language: 'language',
      is_premium: 'user_properties.is_premium',
      country: 'country',
      city: 'city',
      os: 'os_name',
      device: 'platform',
      brand: ['device_brand', 'device_manufacturer'],
      model: ['device_model', 'device_family', 'device_type'],
    },
    params: 'event_properties',
  },
  // https://docs.mixpanel.com/reference/raw-event-export
  mixpanel: {
    name: 'event',
    time: 'properties.time',
    user: ['properties.$user_id', 'properties.distinct_id'],
    id: 'properties.$insert_id',
    idWithin: ['event', 'properties.distinct_id', 'properties.time'],
    session: 'properties.$session_id',
    context: {
      language: 'properties.language',
      country: 'properties.mp_country_code',
      city: 'properties.$city',
      os: 'properties.$os',
      device: 'properties.mp_lib',
      brand: ['properties.$brand', 'properties.$manufacturer'],
      model: ['properties.$model', 'properties.$device'],
    },
    params: 'properties',
    added: /^(\$|mp_)|^(time|distinct_id|token|language)$/,
  },
  // https://posthog.com/docs/data-pipelines/batch-exports/s3
  posthog: {
    name: 'event',
    time: 'timestamp',
    user: 'distinct_id',
    id: 'uuid',
    session: 'properties.$session_id',
    context: {
      language: 'properties.$browser_language',
      country: ['properties.$geoip_country_name', 'properties.$geoip_country_code'],
      city: 'properties.$geoip_city_name',
      os: ['properties.$os', 'properties.$os_name'],
      device: 'properties.$device_type',
      brand: ['properties.$device_manufacturer', 'properties.$device_brand'],
      model: ['properties.$device_model', 'properties.$device'],
    },
    params: 'properties',
    added: /^\$|^(token|distinct_id)$/,
  },
} as const satisfies Record<string, Service>

export type ServiceName = keyof typeof SERVICES

/** An event as this service's exports write it. */
export function readService(name: ServiceName, event: ForeignFields): ForeignEvent {
  const service: Service = SERVICES[name]
  const objects = { properties: toFields(event[service.params]), user_properties: toFields(event.user_properties) }
  const read = (source: Source) => readSource(source, event, objects)
  const word = toWord(read(service.id))
  const id = word && service.idWithin ? JSON.stringify([word, ...service.idWithin.map(read)]) : word
  const session = read(service.session)
  return {
    name: read(service.name),
    time: read(service.time),
    user: read(service.user),
    id: id && `${name} ${id}`,
    session: session === service.noSession ? null : session,
    context: Object.fromEntries(Object.entries(service.context).map(([property, source]) => [property, read(source)])),
    params: Object.fromEntries(Object.entries(objects.properties).filter(([field]) => !service.added?.test(field))),
    content: event,
  }
}

function readSource(source: Source, event: ForeignFields, objects: Readonly<Record<string, ForeignFields>>): unknown {
  if (typeof source !== 'string') {
    return source.map((one) => readSource(one, event, objects)).find((value) => toWord(value) !== null)
  }
  const [object = '', field] = source.split('.')
  return field === undefined ? event[object] : objects[object]?.[field]
}
