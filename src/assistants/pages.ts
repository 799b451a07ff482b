/** A question as an assistant asked it. */
export interface AssistantQuestion {
  readonly operationId: string
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

/** Addresses of pages for people, behind the origin. */
export interface Pages {
  /** The page that shows the same, about an application; without one, that of all applications. */
  ofQuestion(question: AssistantQuestion, handle: string | null): string
  /** The address of a saved report. */
  ofSaved(address: string, handle: string): string
}
