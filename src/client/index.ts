export { createClient } from './client.ts'
export type { Client, Options, Person } from './options.ts'
