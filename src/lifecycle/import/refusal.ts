/** Why a line is refused, in a sentence that begins with the field. */
export class Refusal extends Error {}
