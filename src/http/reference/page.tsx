import type { DescribedOperation, ReferenceDocument, Samples } from './document.ts'
import { Fields, Prose } from './fields.tsx'
import { type Common, Errors, OperationSection, type OperationShown } from './operation.tsx'

export const DOCUMENT_PATH = '/openapi.json'
export const PAGE_PATH = '/docs'
export const STYLE_PATH = '/docs/style.css'

/** Its own style sheet and nothing else: the page has no script. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

type Placed = Pick<OperationShown, 'operation' | 'sample' | 'method' | 'path'>

/** The reference as HTML. Its commands use the reader's address of the service. */
export function pageOf(reference: Reference, origin: string): string {
  return `<!doctype html>${(<Page {...reference} origin={origin} />).toString()}`
}

interface Reference {
  readonly document: ReferenceDocument
  readonly samples: Samples
}

function Page({ document, samples, origin }: Reference & { origin: string }) {
  const { info, tags, components, paths } = document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const sample = samples.get(operation.operationId) ?? {}
      return { operation, sample, method, path }
    }),
  )
  const common = commonOf(operations)
  const chapters = tags.map((tag) => ({ ...tag, operations: operations.filter(isOf(tag.name)) }))
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${info.title} API reference`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={STYLE_PATH} />
      </head>
      <body>
        <nav aria-label="Operations">
          <a href="#about" class="title">
            {info.title} <small>{info.version}</small>
          </a>
          {chapters.map(({ name, operations }) => (
            <>
              <a href={`#${anchorOf(name)}`}>{name}</a>
              <ul>
                {operations.map(({ operation: { operationId, summary } }) => (
                  <li>
                    <a href={`#${operationId}`}>{summary}</a>
                  </li>
                ))}
              </ul>
            </>
          ))}
        </nav>
        <main>
          <About document={document} origin={origin} operations={operations} common={common} />
          {chapters.map(({ name, description, operations }) => (
            <section id={anchorOf(name)}>
              <h2>
                <a href={`#${anchorOf(name)}`}>{name}</a>
              </h2>
              <Prose text={description} />
              {operations.map((placed) => (
                <OperationSection {...placed} origin={origin} schemas={components.schemas} common={common} />
              ))}
            </section>
          ))}
        </main>
      </body>
    </html>
  )
}

interface AboutShown {
  readonly document: ReferenceDocument
  readonly origin: string
  readonly operations: readonly Placed[]
  readonly common: Common
}

/** What holds for the whole service, and what every operation takes and may answer. */
function About({ document: { info, components }, origin, operations, common }: AboutShown) {
  const { parameters = [], responses = {} } = operations[0]?.operation ?? {}
  const shared = parameters.filter(({ name }) => common.parameters.includes(name))
  const errors = Object.fromEntries(Object.entries(responses).filter(([status]) => common.statuses.includes(status)))
  return (
    <section id="about">
      <h1>{info.title} API reference</h1>
      <p class="lead">{info.summary}</p>
      <Prose text={info.description} />
      <p>
        <strong>Try it.</strong> The service runs at <code>{origin}</code>. Put your API key into a variable, then copy
        any command on this page: one click selects all of it. The responses beside them come from the demo history.
      </p>
      <pre class="command">
        <code>KEY=00000000-0000-4000-8000-000000000000</code>
      </pre>
      <p>
        The same reference is available as an OpenAPI 3.1 document: <a href={DOCUMENT_PATH}>{DOCUMENT_PATH}</a>.
      </p>
      <h2 id="every-operation">
        <a href="#every-operation">Every operation</a>
      </h2>
      <Fields
        title="Parameters"
        schemas={components.schemas}
        fields={shared.map((parameter) => ({ ...parameter, location: parameter.in }))}
      />
      <Errors title="Errors" responses={errors} />
    </section>
  )
}

function isOf(tag: string): (placed: Placed) => boolean {
  return ({ operation }) => operation.tags.includes(tag)
}

function anchorOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}

/** The parameters and errors that are the same, word for word, in every operation. */
function commonOf(operations: readonly Placed[]): Common {
  const all = operations.map(({ operation }) => operation)
  const { parameters = [], responses = {} } = all[0] ?? {}
  const isCommon = (known: unknown, find: (operation: DescribedOperation) => unknown) =>
    all.every((operation) => JSON.stringify(find(operation)) === JSON.stringify(known))
  return {
    parameters: parameters
      .filter((known) => isCommon(known, (operation) => operation.parameters.find(({ name }) => name === known.name)))
      .map(({ name }) => name),
    statuses: Object.keys(responses).filter((status) =>
      isCommon(responses[status], (operation) => operation.responses[status]),
    ),
  }
}
