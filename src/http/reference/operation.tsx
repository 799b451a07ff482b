import { nameOf, type Schema } from '../api/json-schema.ts'
import type { SampleRequest } from '../api/sample.ts'
import {
  type DescribedOperation,
  type DescribedResponse,
  goodAnswer,
  mediaOf,
  type ReferenceDocument,
} from './document.ts'
import { Fields, fieldsIn, Line, Prose, resolve } from './fields.tsx'
import { toJsonText } from './json-text.ts'
import { toCurl } from './requests.ts'

/** What all operations have in common; the page says it once. */
export interface Common {
  readonly parameters: readonly string[]
  readonly statuses: readonly string[]
}

export interface OperationShown {
  readonly operation: DescribedOperation
  readonly sample: SampleRequest
  readonly method: string
  readonly path: string
  readonly origin: string
  readonly schemas: ReferenceDocument['components']['schemas']
  readonly common: Common
}

export function OperationSection(shown: OperationShown) {
  const { operation, method, path, schemas, common } = shown
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const own = parameters.filter(({ name }) => !common.parameters.includes(name))
  const body = requestBody && mediaOf(requestBody).schema
  return (
    <section id={operationId} class="operation">
      <h3>
        <a href={`#${operationId}`}>{summary}</a>
      </h3>
      <p class="address">
        <b>{method.toUpperCase()}</b> <code>{path}</code>
      </p>
      <div class="columns">
        <div>
          <Prose text={description} />
          {own.length > 0 ? (
            <Fields
              title="Parameters"
              schemas={schemas}
              fields={own.map((parameter) => ({ ...parameter, location: parameter.in }))}
            />
          ) : null}
          {body ? <Body schema={body} schemas={schemas} /> : null}
          <AnswerFields {...shown} />
          <Errors responses={responses} hidden={common.statuses} title="Errors, beside those of every operation" />
        </div>
        <Samples {...shown} />
      </div>
    </section>
  )
}

/** A body may have several forms, each with its own fields. */
function Body({ schema, schemas }: { schema: Schema; schemas: OperationShown['schemas'] }) {
  const forms = schema.oneOf?.filter((form) => form.$ref) ?? [schema]
  return (
    <>
      {schema.description ? <Prose text={schema.description} /> : null}
      {forms.map((form) => (
        <Fields
          title={forms.length > 1 ? `Body: ${nameOf(form)}. ${resolve(form, schemas).description ?? ''}` : 'Body'}
          schemas={schemas}
          fields={fieldsIn(form, schemas)}
        />
      ))}
    </>
  )
}

function AnswerFields({ operation, schemas }: OperationShown) {
  const good = goodAnswer(operation.responses)
  if (!good) return null
  const { status, answer } = good
  const { schema } = mediaOf(answer)
  const fields = fieldsIn(schema.oneOf?.[0] ?? schema, schemas)
  const headers = Object.entries(answer.headers).filter(([, { description }]) => description)
  return (
    <>
      {fields.length > 0 ? (
        // Every field is required, so that is not repeated.
        <Fields
          title={`Answer ${status}: ${answer.description}`}
          schemas={schemas}
          fields={fields.map((field) => ({ ...field, required: false }))}
        />
      ) : (
        <p>
          {`Answer ${status}: `}
          <Line text={answer.description} />
        </p>
      )}
      {headers.map(([name, { description = '' }]) => (
        <p>
          Header <code>{name}</code>: <Line text={description} />
        </p>
      ))}
    </>
  )
}

interface ErrorsShown {
  readonly responses: Readonly<Record<string, DescribedResponse>>
  readonly hidden?: readonly string[]
  readonly title: string
}

export function Errors({ responses, hidden = [], title }: ErrorsShown) {
  const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400 && !hidden.includes(status))
  return (
    <table class="errors">
      <caption>{title}</caption>
      <tbody>
        {errors.map(([status, { description, content }]) => (
          <tr>
            <th scope="row">{status}</th>
            <td>
              <Line text={description} />
              <code class="says">{JSON.stringify(mediaOf({ content }).example)}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The header that carries the key, up to the key itself, by the security scheme of the document. */
const KEY_HEADERS: Readonly<Record<string, string>> = {
  apiKey: 'x-api-key: ',
  bearerKey: 'authorization: Bearer ',
  analyticsToken: 'TGA-Auth-Token: ',
}

function Samples({ operation: { security, responses }, sample, method, path, origin }: OperationShown) {
  const keyHeader = KEY_HEADERS[Object.keys(security[0] ?? {})[0] ?? ''] ?? ''
  const good = goodAnswer(responses)
  const answer = good && mediaOf(good.answer).example
  return (
    <div class="samples">
      <h4>Request</h4>
      <pre class="command">
        <code>{toCurl({ origin, method, path, keyHeader }, sample)}</code>
      </pre>
      <h4>Answer</h4>
      <pre>
        <code>{toJsonText(answer)}</code>
      </pre>
    </div>
  )
}
