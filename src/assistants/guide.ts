import { ABOUT, DOCUMENT_PATH, PAGE_PATH } from '../http/reference/contract.ts'

export const MCP_PATH = '/mcp'
export const GUIDE_PATH = '/llms.txt'

/** What the service is and where to go on, for language models: https://llmstxt.org */
export function describeService(origin: string): string {
  const { title, summary } = ABOUT.info
  return `# ${title}

> ${summary} It answers who uses an application, where its users come from, what they do, whether they return and what they pay. All figures are exact.

Every request needs an API key of an account. With a key of scope \`read\` you can ask every question and change nothing.

## Docs

- [API reference](${origin}${PAGE_PATH}): every operation with a sample request and its response
- [OpenAPI document](${origin}${DOCUMENT_PATH}): the same for programs

## Assistants

- [Model Context Protocol](${origin}${MCP_PATH}): Streamable HTTP, stateless. Send the key as \`Authorization: Bearer <key>\` or \`x-api-key\`. One tool for every question; call \`describeApplication\` first.
`
}
