/** Events of one name, in order of time, those of a user at one instant side by side: from one place up to another, exclusive. */
export interface Events {
  readonly times: Float64Array
  readonly users: Uint32Array
  readonly from: number
  readonly to: number
}
