/** A small broken version of `src`, with the promise that it breaks and a test that notices. */
export interface Mutant {
  /** In words with hyphens, as on the command line. */
  readonly name: string
  /** What the service promises, and this version does not keep. */
  readonly promise: string
  /** The code that it changes. It is found wherever it is in the room, however it is laid out, and must be there once. */
  readonly from: string
  readonly to: string
  /** The file of the tests that should notice. */
  readonly test: string
  /** Part of the titles of these tests; by default all tests of the file. */
  readonly title?: string
}

/** A mutant, and the room of `src` that it breaks. */
export interface RoomMutant extends Mutant {
  readonly room: string
}
