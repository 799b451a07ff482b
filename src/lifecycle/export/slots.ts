/** An export that is being sent, with an id of its own. */
export interface ExportSlot {
  readonly id: string
  readonly applicationId: number
  readonly accountId: string
}

/** Which limit of simultaneous exports is reached. */
export type SlotRefusal = 'application' | 'account' | 'service'

export const MOST_EXPORTS: Readonly<Record<SlotRefusal, number>> = { application: 2, account: 4, service: 8 }

/** A slot that is not renewed for this long is free: its Worker is gone, or its reader has stopped reading. */
const SLOT_MS = 30_000

/** The exports that are being sent. Nothing is stored: each renews its slot. */
export class ExportSlots {
  readonly #held = new Map<string, ExportSlot & { readonly until: number }>()

  /** Takes or renews a slot; returns the limit that is reached, otherwise null. */
  take(slot: ExportSlot, now: number): SlotRefusal | null {
    const { id, applicationId, accountId } = slot
    for (const [other, { until }] of this.#held) if (until <= now) this.#held.delete(other)
    this.#held.delete(id)
    const held = [...this.#held.values()]
    const ofApplication = held.filter((other) => other.applicationId === applicationId).length
    if (ofApplication >= MOST_EXPORTS.application) return 'application'
    if (held.filter((other) => other.accountId === accountId).length >= MOST_EXPORTS.account) return 'account'
    if (held.length >= MOST_EXPORTS.service) return 'service'
    this.#held.set(id, { ...slot, until: now + SLOT_MS })
    return null
  }

  giveBack(id: string): void {
    this.#held.delete(id)
  }
}
