/** Why a line is not taken, in a sentence that begins with the field. */
export class Refusal extends Error {}
