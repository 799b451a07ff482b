/** What is meant: one page of the applications. */
export interface GrowthQuery {
  /** Days since 1970 UTC. */
  readonly today: number
  readonly limit: number
  readonly offset: number
}

/** What is meant: one application. */
export interface ApplicationGrowthQuery {
  /** Days since 1970 UTC. */
  readonly today: number
  readonly applicationId: number
}
