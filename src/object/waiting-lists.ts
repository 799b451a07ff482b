import { listedInQuestion, type Question } from '../questions/engine/report.ts'

/** Messenger ids that the cohorts of waiting questions may list, in 16 MB. */
const MOST_LISTED = 2_000_000

/** Bounds the memory of the lists that come with questions, while they wait for their turn. */
export class WaitingLists {
  #listed = 0

  /** A question that has room is counted until it leaves. */
  hasRoomFor(question: Pick<Question, 'cohorts'>): boolean {
    const listed = listedInQuestion(question)
    if (this.#listed + listed > MOST_LISTED) return false
    this.#listed += listed
    return true
  }

  leave(question: Pick<Question, 'cohorts'>): void {
    this.#listed -= listedInQuestion(question)
  }
}
