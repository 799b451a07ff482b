import type { QueryParams } from '../../http/params.ts'

interface Command {
  readonly origin: string
  readonly projectId: string
  /** The path of the operation. */
  readonly path: string
  readonly query: QueryParams
}

/** The request that answers with what a page shows. */
export function ApiCommand(command: Command) {
  return (
    <details class="command">
      <summary>API command</summary>
      <div class="copyable">
        <section class="scroll snippet" tabindex={0} aria-label="API command">
          <pre>
            <code>{toCurl(command)}</code>
          </pre>
        </section>
      </div>
    </details>
  )
}

/** The key is left to the reader's environment. */
function toCurl({ origin, projectId, path, query }: Command): string {
  const pairs = Object.entries(query).flatMap(([name, given]) => [given].flat().map((value) => `${name}=${value}`))
  const lines = [
    `curl -G ${quoted(origin + path)}`,
    '-H "x-api-key: $MAUVE_API_KEY"',
    `-H ${quoted(`x-project-id: ${projectId}`)}`,
    ...pairs.map((pair) => `--data-urlencode ${quoted(pair)}`),
  ]
  return lines.join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
