import { EFFECT_SECONDS, type Scope } from '../../access/api-keys.ts'
import { type AccountApplication, listOwnApplications } from '../../accounts/applications/applications.ts'
import { KeyOrder } from '../../accounts/contract.ts'
import { issueKeyRoute, listKeysRoute, revokeKeyRoute } from '../../accounts/routes.ts'
import { BoundField } from '../forms/bound-field.tsx'
import { Confirmation } from '../forms/confirmation.tsx'
import { FaultsOfField, faultsOf } from '../forms/field.tsx'
import type { FormFields } from '../forms/fields-of-form.ts'
import { formOf } from '../forms/form-of.ts'
import { accountHref } from '../frame/account-pages.ts'
import type { AnswerTo } from '../request/application-request.ts'
import type { PageContent } from '../request/page-content.ts'
import { seesAccount } from '../request/visitor.ts'
import { counted, toAge, toDay } from '../words/format.ts'
import { readConnectionOfKey } from './connection.tsx'
import { NewKey, SCOPE_LABELS } from './new-key.tsx'
import { type FormRequest, type Part, type PartState, SettingsForm, settingsHref, shownIn } from './section.tsx'

const SCOPES: readonly { readonly scope: Scope; readonly what: string }[] = [
  {
    scope: 'client',
    what: 'Sends events. The only kind of key that is safe to put into a mini-app.',
  },
  {
    scope: 'read',
    what: 'Reads all reports and changes nothing. For spreadsheets and for people who view these pages.',
  },
  {
    scope: 'full',
    what: 'Can do everything, including managing keys and all applications. Keep it on your servers.',
  },
]

const keyForm = formOf(KeyOrder)

export const keysPart: Part<FormRequest> = {
  id: 'keys',
  title: 'API keys',
  content: async (settings) => {
    const { request } = settings
    const { c, application, visitor } = request
    const visible = await visibleKeys(request)
    const keys = application ? visible.filter(({ handle }) => handle === application.handle) : visible
    // Those to choose from: a key of the settings is for their application.
    const applications = application ? [] : await listOwnApplications(c.get('db'), visitor)
    const [standing, revoked] = [keys.filter(isStanding), keys.filter((key) => !isStanding(key))]
    return (
      <>
        <p class="hint">
          Keys are stored as hashes, so only their last four characters are shown. Usage times are rounded to the hour.
        </p>
        {application && (
          <p>
            Keys that are not limited to this application, and those of other applications, are in the{' '}
            <a href={accountHref('keys')}>account's API keys</a>.
          </p>
        )}
        {standing.length === 0 && <p class="nothing">No API keys yet. Create one below.</p>}
        {standing.length > 0 && <KeyList request={request} keys={standing} />}
        {revoked.length > 0 && (
          <details>
            <summary>{counted(revoked.length, 'revoked key')}</summary>
            <KeyList request={request} keys={revoked} />
          </details>
        )}
        <KeyForm {...settings} applications={applications} />
      </>
    )
  },
  forms: {
    '/keys': makeKey,
    '/keys/:id/revoke': async ({ c, context }) => {
      await revokeKeyRoute.ask({ path: { id: c.req.param('id') ?? '' } }, context)
    },
  },
  notices: { keys: `Key revoked. It stops working within ${EFFECT_SECONDS} seconds.` },
}

/** Answers with the key itself, which can be told this once: no other address has it. */
async function makeKey(request: FormRequest, typed: FormFields): Promise<PageContent> {
  const { c, context, application, visitor } = request
  const { data: issued } = await issueKeyRoute.ask({ body: keyForm.read(typed) }, context)
  const applications = await listOwnApplications(c.get('db'), visitor)
  const named = applications.find((own) => own.handle === issued.handle) ?? application ?? applications[0] ?? null
  const connection = named && (await readConnectionOfKey({ c, application: named, keyId: issued.id }))
  const content = <NewKey request={request} issued={issued} named={named} connection={connection} />
  return { title: 'API key created', content }
}

type ListedKey = AnswerTo<typeof listKeysRoute>['data'][number]

/** Everybody sees the key they are signed in with. */
export async function visibleKeys({ context, visitor }: FormRequest): Promise<readonly ListedKey[]> {
  const { data } = await listKeysRoute.ask({}, context)
  return seesAccount(visitor) ? data : data.filter(({ id }) => id === visitor.keyId)
}

function isStanding(key: ListedKey): boolean {
  return key.revoked_at === null
}

function KeyList({ request, keys }: Pick<PartState, 'request'> & { keys: readonly ListedKey[] }) {
  return (
    <ul class="entries">
      {keys.map((key) => (
        <li>
          <KeyEntry request={request} listed={key} />
        </li>
      ))}
    </ul>
  )
}

function KeyEntry({ request, listed }: Pick<PartState, 'request'> & { listed: ListedKey }) {
  const { c, visitor } = request
  const isOwn = listed.id === visitor.keyId
  const canRevoke = visitor.canChange && isStanding(listed)
  return (
    <>
      <div class="names">
        <strong>
          <bdi>{listed.name || 'Unnamed'}</bdi>
          {isOwn && <span class="mark-own">you are signed in with it</span>}
        </strong>
        <span>
          {`${SCOPE_LABELS[listed.scope]}, `}
          {listed.handle === null ? 'all applications' : <bdi>@{listed.handle}</bdi>}
          {', '}
          <code>{`…${listed.last_four}`}</code>
          {listed.persons && ', assistants see individual users'}
        </span>
        <span class="hint">{historyOf(listed, c.get('now'))}</span>
      </div>
      {canRevoke && (
        <Confirmation
          action="Revoke"
          sure={`Revoke …${listed.last_four}`}
          href={settingsHref(request, `/keys/${listed.id}/revoke`)}
        >
          {`Revoked keys stop working within ${EFFECT_SECONDS} seconds. You cannot undo this.${isOwn ? ' You are signed out with it.' : ''}`}
        </Confirmation>
      )}
    </>
  )
}

function historyOf({ created_at, last_used_at, revoked_at }: ListedKey, now: number): string {
  const made = `created on ${toDay(created_at.slice(0, 10))}`
  const used = last_used_at === null ? 'never used' : `last used ${usedAt(last_used_at, now)}`
  return [made, used, ...(revoked_at === null ? [] : [`revoked on ${toDay(revoked_at.slice(0, 10))}`])].join(', ')
}

const HOUR_MS = 3_600_000

/** Only the hour is known. */
function usedAt(iso: string, now: number): string {
  return now - Date.parse(iso) < HOUR_MS ? 'within the last hour' : toAge(iso, now)
}

function KeyForm({ applications, ...settings }: PartState & { applications: readonly AccountApplication[] }) {
  const { application } = settings.request
  const of = { ...shownIn(settings, keyForm, { scope: 'client' }), id: 'key' }
  const { body, problem } = of
  return (
    <SettingsForm settings={settings} path="/keys" button="Create API key">
      <h3>Create API key</h3>
      <BoundField of={of} at="name" label="Name" />
      <fieldset>
        <legend>Access</legend>
        {SCOPES.map((choice) => (
          <label class="box">
            <input type="radio" name="scope" value={choice.scope} checked={choice.scope === body.scope} required />
            <span>
              <strong>{SCOPE_LABELS[choice.scope]}</strong> <span class="hint">{choice.what}</span>
            </span>
          </label>
        ))}
        <FaultsOfField id="key-scope" faults={faultsOf(problem, 'scope')} />
      </fieldset>
      <BoundField
        of={of}
        at="persons"
        label="Assistants see individual users"
        hint="AI assistants that use a read-only or full-access key can then get lists of users, events with their users, and exports, and see numbers in sources, referrers and start parameters. Otherwise they still see names of events and cohorts, and values of event parameters, which contain ids if your app sends them."
      />
      {application ? (
        <>
          <input type="hidden" name="handle" value={application.handle} />
          <FaultsOfField id="key-handle" faults={faultsOf(problem, 'handle')} />
        </>
      ) : (
        <BoundField
          of={of}
          at="handle"
          label="Application"
          hint="A full-access key can also use your other applications."
          options={[
            ['', 'All applications'],
            ...applications.map((own) => [own.handle, `${own.name} (@${own.handle})`] as const),
          ]}
        />
      )}
    </SettingsForm>
  )
}
