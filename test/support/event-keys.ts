import { identify } from '../../src/collection/identity.ts'
import type { SentEvent } from './event-history.ts'

/** The key under which an event of a server is kept: of those of one instant the one with the smaller key comes first. */
export function storedKeyOf({ event_id, telegram_id }: Pick<SentEvent, 'event_id' | 'telegram_id'>): number {
  return identify(
    { kind: 'event-id', eventId: event_id, telegramId: telegram_id },
    { scope: 'full', isTimeAssigned: false },
  ).key
}
