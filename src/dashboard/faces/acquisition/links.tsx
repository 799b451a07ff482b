import type { Child } from 'hono/jsx'
import { renderSVG } from 'uqr'
import { partsOfPattern, type SourceRule } from '../../../base/sources.ts'
import { START_PARAMETER_CHARACTERS } from '../../../base/text/text.ts'
import { Field, InputField, Options } from '../../forms/field.tsx'
import { OtherParams } from '../../forms/filter-bar.tsx'
import { Segments } from '../../forms/segments.tsx'
import { Snippet } from '../../forms/snippet.tsx'
import { hrefTo, hrefWith, type View } from '../../request/address.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import type { PageContent } from '../../request/page-content.ts'
import { labelOfProperty } from '../../words/labels.ts'
import type { Face } from '../face.ts'
import { type BuiltParameter, buildParameter, type FilledLink, isTarget, linkWith, TARGETS } from './start-parameter.ts'

/** Links whose users can be told apart, made of the patterns of the rules for sources. */
async function linksPage({ view, home, application }: ApplicationRequest): Promise<PageContent> {
  const { sources, link } = application
  const filled = readFilled(view, sources)
  const isSent = view.params.has('to')
  const built = isSent ? buildParameter(filled, sources) : null
  const isRight = built?.faults.size === 0
  return {
    title: 'Link builder',
    status: built && !isRight ? 422 : 200,
    content: (
      <>
        <p>
          <a href={hrefTo(view, `${home}/acquisition`)}>Acquisition</a>
        </p>
        <section class="card">
          <h2>Link builder</h2>
          <p class="hint">
            Everybody who opens a link for the first time is counted under its source. Patterns are the{' '}
            <a href={hrefTo(view, `${home}/settings/sources`)}>rules for sources</a> in the settings.
          </p>
          <PatternChoice view={view} rules={sources} chosen={filled.pattern} />
          <PartsForm view={view} filled={filled} built={built} />
        </section>
        {built && isRight && <Result text={built.text} address={linkWith(link, built.text, filled.target)} />}
      </>
    ),
  }
}

/** The names of fields, and of parameters of the address. */
const FIELDS = ['source', 'medium', 'campaign', 'content', 'referrer', 'parameter', 'to']
const FREE = 'free'

function readFilled({ params }: View, rules: readonly SourceRule[]): FilledLink {
  const asked = params.get('pattern') ?? rules[0]?.pattern
  const pattern = rules.find((rule) => rule.pattern === asked)?.pattern ?? null
  const to = params.get('to') ?? ''
  const typed = (name: string) => (params.get(name) ?? '').trim()
  return {
    pattern,
    values: Object.fromEntries(pattern === null ? [] : partsOfPattern(pattern).map((part) => [part, typed(part)])),
    parameter: typed('parameter'),
    target: isTarget(to) ? to : 'mini-app',
  }
}

interface PatternChoiceShown {
  readonly view: View
  readonly rules: readonly SourceRule[]
  readonly chosen: string | null
}

function PatternChoice({ view, rules, chosen }: PatternChoiceShown) {
  const patterns = [...new Set(rules.map(({ pattern }) => pattern))]
  const others = Object.fromEntries(FIELDS.map((name) => [name, null]))
  const linkTo = (pattern: string, label: Child, isCurrent: boolean) => ({
    label,
    href: hrefWith(view, { ...others, pattern }),
    isCurrent,
  })
  const links = patterns.map((pattern) => linkTo(pattern, <bdi>{pattern}</bdi>, pattern === chosen))
  return <Segments kind="patterns" label="Pattern" links={[...links, linkTo(FREE, 'No pattern', chosen === null)]} />
}

interface PartsFormShown {
  readonly view: View
  readonly filled: FilledLink
  readonly built: BuiltParameter | null
}

function PartsForm({ view, filled: { pattern, values, parameter, target }, built }: PartsFormShown) {
  const faults = (name: string) => [built?.faults.get(name) ?? []].flat()
  const parts = pattern === null ? [] : partsOfPattern(pattern)
  const [whole] = faults('')
  const shared = {
    required: true,
    autocapitalize: 'none',
    spellcheck: false,
    maxlength: START_PARAMETER_CHARACTERS,
  } as const
  return (
    <form method="get" action={view.path} class="fields">
      <OtherParams view={view} without={[...FIELDS, 'pattern']} />
      <input type="hidden" name="pattern" value={pattern ?? FREE} />
      {parts.map((part) => (
        <InputField
          label={labelOfProperty(part)}
          name={part}
          value={values[part] ?? ''}
          hint={part === 'referrer' && 'Messenger id of the user who shares the link'}
          faults={faults(part)}
          {...shared}
        />
      ))}
      {pattern === null && (
        <InputField
          label="Start parameter"
          name="parameter"
          value={parameter}
          faults={faults('parameter')}
          {...shared}
        />
      )}
      {pattern !== null && parts.length === 0 && <p>This pattern has no parts to fill in.</p>}
      <Field
        label="Opens"
        id="to"
        faults={[]}
        hint={`At most ${START_PARAMETER_CHARACTERS} characters for a mini-app, 64 for a bot`}
      >
        {(attributes) => (
          <select name="to" {...attributes}>
            <Options options={TARGET_OPTIONS} chosen={target} />
          </select>
        )}
      </Field>
      {whole && (
        <p class="fault" role="alert">
          {whole}
        </p>
      )}
      <div>
        <button type="submit">Build</button>
      </div>
    </form>
  )
}

const TARGET_OPTIONS = Object.entries(TARGETS).map(([name, { label }]) => [name, label] as const)

/** `address` is null if the application's own link is none of the messenger's. */
function Result({ text, address }: { text: string; address: string | null }) {
  return (
    <section class="card">
      <h2>Your link</h2>
      <h3>Start parameter</h3>
      <Snippet label="Start parameter" text={text} />
      {address === null ? (
        <p class="hint">
          To get the whole link and its QR code, set the link of the application to its t.me address in the settings.
        </p>
      ) : (
        <>
          <h3>Link</h3>
          <Snippet label="Link" text={address} />
          <img class="qr" src={qrCodeOf(address)} alt={`QR code of ${address}`} width="240" height="240" />
        </>
      )}
    </section>
  )
}

/** With the margin that readers need. As an image, it can be saved and printed. */
function qrCodeOf(text: string): string {
  return `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { ecc: 'M', border: 4 }))}`
}

/** Links whose start parameters the rules for sources read. */
export const linksFace: Face = { page: 'acquisition/links', make: linksPage, kind: 'plain' }
