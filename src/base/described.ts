/**
 * Types of what the contracts describe, for rooms below them: each contract adds its own (`declare module`), inferred from the schema, so that it is
 * written once. Columns of JSON have these types.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the contracts fill it
export interface Described {}
