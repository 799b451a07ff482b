import { applicationOf } from '../../access/access.ts'
import { readActivity } from '../../accounts/applications/placement.ts'
import { logError } from '../../base/log.ts'
import { withNearest } from '../../base/text/nearest.ts'
import { cut } from '../../base/text/text.ts'
import { wasAccepted } from '../../collection/known/accepted.ts'
import type { RequestContext } from '../../http/context.ts'
import { selectIds } from '../../storage/texts.ts'
import { toReading } from './reading.ts'
import type { UnknownName, UnknownNames } from './unknown-names.ts'

/** The most characters of a name that a warning shows. */
const SHOWN_CHARACTERS = 100

/**
 * Warns about names that no object of the application knows, unless their events are on the way to the objects or are
 * no longer stored. An event that was just sent may also be the first with its parameters or properties, so there is no
 * warning about these then.
 */
export async function warnOfNames({ events, properties }: UnknownNames, context: RequestContext): Promise<void> {
  const isKnown = await findKnownEvents(
    events.map(({ name }) => name),
    context,
  )
  const unknown = events.filter(({ name }) => !isKnown(name))
  const reported = unknown.length < events.length ? unknown : [...unknown, ...properties]
  for (const { name, nearest } of reported) context.warn(toSentence({ name, nearest }), name)
}

function toSentence({ name, nearest }: UnknownName): string {
  const sentence = `'${cut(name, SHOWN_CHARACTERS)}' does not occur in the events of this application`
  return withNearest(sentence, nearest === null ? null : cut(nearest, SHOWN_CHARACTERS))
}

/** Looks up, in the databases, names that this isolate did not accept itself. */
async function findKnownEvents(names: readonly string[], context: RequestContext): Promise<(name: string) => boolean> {
  const { id: applicationId } = applicationOf(context.access)
  const texts = names.filter((name) => !wasAccepted(applicationId, name))
  if (texts.length === 0) return () => true
  try {
    const found = await readActivity(applicationId, toReading(context), (parts) =>
      Promise.all(parts.map(({ db }) => selectIds(db, 'names', { applicationId, texts }))),
    )
    const stored = new Set(found.flat().map(({ text }) => text))
    return (name) => !texts.includes(name) || stored.has(name)
  } catch (error) {
    logError('names not looked up', error, { application: applicationId })
    return () => true
  }
}
