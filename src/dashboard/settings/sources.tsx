import { EFFECT_SECONDS } from '../../access/api-keys.ts'
import { replaceSourcesRoute } from '../../accounts/sources/routes.ts'
import { Invalid } from '../../base/errors.ts'
import type { SourceRule } from '../../base/sources.ts'
import { previewSources } from '../faces/acquisition/source-preview.tsx'
import { Field, faultsOf } from '../forms/field.tsx'
import type { FormFields } from '../forms/fields-of-form.ts'
import { hrefTo } from '../request/address.ts'
import type { ApplicationRequest } from '../request/application-request.ts'
import { type Part, SettingsForm, settingsHref } from './section.tsx'

/** `tgads-{campaign} ; source=Telegram Ads ; medium=cpc`: no start parameter of the messenger has a semicolon. */
function toLine({ pattern, set = {} }: SourceRule): string {
  return [pattern, ...Object.entries(set).map(([part, value]) => `${part}=${value}`)].join(' ; ')
}

/** Throws `Invalid` where a line sets a part twice, which an object cannot say. */
function toRule(line: string, index: number) {
  const [pattern = '', ...fixed] = line.split(';').map((piece) => piece.trim())
  const names = fixed.map(nameIn)
  const twice = names.find((name, number) => names.indexOf(name) < number)
  if (twice !== undefined) {
    const loc = ['body', 'sources', index, 'set', twice]
    throw new Invalid([{ loc, type: 'value_error', msg: `It sets “${twice}” twice` }])
  }
  const set = Object.fromEntries(fixed.map((pair) => [nameIn(pair), pair.slice(nameIn(pair).length + 1).trim()]))
  return fixed.length > 0 ? { pattern, set } : { pattern }
}

function nameIn(pair: string): string {
  return pair.split('=')[0]?.trim() ?? pair
}

function asked({ application }: ApplicationRequest, typed: FormFields) {
  return { path: { handle: application.handle }, body: { sources: typed.lines('sources').map(toRule) } }
}

const HINT =
  'One rule per line; the first that matches decides. {source}, {medium}, {campaign}, {content} and {referrer} stand for parts of the start parameter, everything else is literal. After a semicolon, set fixed values: tgads-{campaign} ; source=Telegram Ads ; medium=cpc'

const MIN_ROWS = 4
const MAX_ROWS = 14

export const sourcesPart: Part = {
  id: 'sources',
  title: 'Sources',
  content: async (settings) => {
    const { request, typed, problem } = settings
    const preview = typed && !problem ? await previewSources(asked(request, typed), request.context) : null
    const lines = typed?.lines('sources') ?? request.application.sources.map(toLine)
    const rows = Math.min(Math.max(lines.length + 1, MIN_ROWS), MAX_ROWS)
    return (
      <>
        <p>
          The start parameter of a link says where a user came from. Rules turn it into a source, medium, campaign,
          content and referrer. Filter and break down by them on every page. Changes also apply to the past.{' '}
          <a href={hrefTo(request.view, `${request.home}/acquisition/links`)}>Build a link</a> that a rule matches.
        </p>
        <SettingsForm
          settings={settings}
          facts={[['Rules', lines.join('\n') || 'None: the source is the whole start parameter']]}
          isWide
          note={`Reports use the rules within ${EFFECT_SECONDS} seconds.`}
        >
          <Field
            label={<strong>Rules</strong>}
            id="sources-rules"
            hint={HINT}
            faults={faultsOf(problem, 'sources', lines)}
          >
            {(attributes) => (
              <textarea name="sources" rows={rows} autocapitalize="none" spellcheck={false} {...attributes}>
                {lines.join('\n')}
              </textarea>
            )}
          </Field>
          <button type="submit" class="quiet" formaction={settingsHref(request, '/sources/preview')}>
            Preview
          </button>
        </SettingsForm>
        {preview}
      </>
    )
  },
  forms: {
    '/sources': async (request, typed) => {
      await replaceSourcesRoute.ask(asked(request, typed), request.context)
    },
    '/sources/preview': (_request, _typed, showAgain) => showAgain(),
  },
  notices: { sources: `Saved. Reports use the rules within ${EFFECT_SECONDS} seconds.` },
}
