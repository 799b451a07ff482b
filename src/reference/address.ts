import type { SampleRequest } from './requests.ts'

/** The path of an operation with the request's values in it. */
export function fillPath(template: string, { path = {} }: SampleRequest): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
}
