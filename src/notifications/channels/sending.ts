/** What became of one try to send a message. */
export type SendingResult =
  | { readonly kind: 'sent'; readonly httpStatus: number; readonly answer: string | null }
  /** The receiver said no, or did not answer and may be asked again. */
  | {
      readonly kind: 'later'
      readonly httpStatus: number | null
      readonly answer: string
      readonly afterMs?: number | undefined
    }
  /** The receiver will never accept the message or, if `isOff`, any other message of the subscription. */
  | { readonly kind: 'refused'; readonly httpStatus: number | null; readonly answer: string; readonly isOff: boolean }

const MAX_ANSWER_CHARACTERS = 200

export function shortened(answer: string): string {
  return answer.slice(0, MAX_ANSWER_CHARACTERS).toWellFormed()
}
