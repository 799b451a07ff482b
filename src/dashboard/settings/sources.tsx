import { EFFECT_SECONDS } from '../../access/api-keys.ts'
import { replaceSourcesRoute } from '../../accounts/sources/routes.ts'
import { Invalid } from '../../base/errors.ts'
import type { SourceRule } from '../../base/sources.ts'
import { PREVIEW_DAYS } from '../../questions/source-preview/contract.ts'
import { previewSourcesRoute } from '../../questions/source-preview/routes.ts'
import { ListTable, NumberCell, numberColumn } from '../figures/table.tsx'
import { Field, faultsOf } from '../forms/field.tsx'
import type { FormFields } from '../forms/fields-of-form.ts'
import { hrefTo } from '../request/address.ts'
import type { ApplicationRequest } from '../request/application-request.ts'
import { toCount } from '../words/format.ts'
import {
  ReadOnly,
  refusedIn,
  Section,
  type Settings,
  SettingsForm,
  settingsHref,
  type TriedSources,
} from './section.tsx'

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

export async function changeSources(request: ApplicationRequest, typed: FormFields) {
  return replaceSourcesRoute.ask(asked(request, typed), request.context)
}

export async function trySources(request: ApplicationRequest, typed: FormFields): Promise<TriedSources> {
  const { data: preview } = await previewSourcesRoute.ask(asked(request, typed), request.context)
  return { typed, preview }
}

const HINT =
  'One rule per line; the first that matches decides. {source}, {medium}, {campaign}, {content} and {referrer} stand for parts of the start parameter, everything else is literal. After a semicolon, set fixed values: tgads-{campaign} ; source=Telegram Ads ; medium=cpc'

const MIN_ROWS = 4
const MAX_ROWS = 14

export function SourcesSection({ tried, ...settings }: Settings & { tried: TriedSources | null }) {
  const { request } = settings
  const { typed, problem } = refusedIn(settings, 'sources')
  const lines = (typed ?? tried?.typed)?.lines('sources') ?? request.application.sources.map(toLine)
  const rows = Math.min(Math.max(lines.length + 1, MIN_ROWS), MAX_ROWS)
  return (
    <Section id="sources" title="Sources" settings={settings}>
      <p>
        The start parameter of a link says where a user came from. Rules turn it into a source, medium, campaign,
        content and referrer. Filter and break down by them on every page. Changes also apply to the past.{' '}
        <a href={hrefTo(request.view, `${request.home}/acquisition/links`)}>Build a link</a> that a rule matches.
      </p>
      {request.visitor.canChange ? (
        <SettingsForm
          settings={settings}
          path="/sources"
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
      ) : (
        <ReadOnly rows={[['Rules', lines.join('\n') || 'None: the source is the whole start parameter']]} />
      )}
      {tried && <Preview preview={tried.preview} />}
    </Section>
  )
}

function Preview({
  preview: { users, acquired, rules, unmatched, total_unmatched: others },
}: Pick<TriedSources, 'preview'>) {
  return (
    <div role="status">
      <h3>Preview: not saved yet</h3>
      <p>
        Of {toCount(users)} new users in the last {PREVIEW_DAYS} days, {toCount(acquired)} came with a start parameter.
      </p>
      {rules.length > 0 && (
        <ListTable label="Matches of each rule" columns={['Pattern', numberColumn('Users'), 'Examples']}>
          {rules.map(({ pattern, users, examples }) => (
            <tr>
              <th scope="row">
                <bdi>{pattern}</bdi>
              </th>
              <NumberCell value={users} />
              <td>
                <bdi>{examples.join(', ') || '–'}</bdi>
              </td>
            </tr>
          ))}
        </ListTable>
      )}
      {unmatched.length > 0 && (
        <>
          <h4>{`${toCount(others)} start parameters without a match`}</h4>
          <ListTable label="Start parameters without a match" columns={['Start parameter', numberColumn('Users')]}>
            {unmatched.map(({ start_parameter: text, users }) => (
              <tr>
                <th scope="row">
                  <bdi>{text}</bdi>
                </th>
                <NumberCell value={users} />
              </tr>
            ))}
          </ListTable>
        </>
      )}
    </div>
  )
}
