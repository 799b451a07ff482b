import type { Scope } from '../../access/api-keys.ts'
import type { AccountApplication } from '../../accounts/applications/applications.ts'
import type { listKeysRoute } from '../../accounts/routes.ts'
import { FaultsOfField, Field, faultsOf, InputField } from '../components/field.tsx'
import { counted, toAge, toDay } from '../format.ts'
import { Confirmed, Section, type SettingsRequest, settingsHref } from './section.tsx'

export type ListedKey = Awaited<ReturnType<typeof listKeysRoute.ask>>['data'][number]

/** What a key opens, in words. */
export const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
  client: 'Tracking only',
  read: 'Read only',
  full: 'Full access',
}

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

interface KeysShown {
  readonly settings: SettingsRequest
  readonly keys: readonly ListedKey[]
  /** Those that a key can be made for. */
  readonly applications: readonly AccountApplication[]
}

/** The account's keys. */
export function KeysSection({ settings, keys, applications }: KeysShown) {
  const { request } = settings
  const [standing, revoked] = [keys.filter(isStanding), keys.filter((key) => !isStanding(key))]
  return (
    <Section id="keys" title="API keys" settings={settings}>
      <p class="hint">
        Keys are stored as hashes, so only their last four characters are shown. Usage times are rounded to the hour.
      </p>
      {standing.length === 0 && <p class="nothing">No API keys yet. Create one below.</p>}
      <KeyList settings={settings} keys={standing} />
      {revoked.length > 0 && (
        <details>
          <summary>{counted(revoked.length, 'revoked key')}</summary>
          <KeyList settings={settings} keys={revoked} />
        </details>
      )}
      {request.visitor.canChange && <KeyForm settings={settings} applications={applications} />}
    </Section>
  )
}

function isStanding(key: ListedKey): boolean {
  return key.revoked_at === null
}

function KeyList({ settings, keys }: Omit<KeysShown, 'applications'>) {
  if (keys.length === 0) return null
  return (
    <ul class="entries">
      {keys.map((key) => (
        <li>
          <KeyEntry settings={settings} listed={key} />
        </li>
      ))}
    </ul>
  )
}

function KeyEntry({ settings: { request }, listed }: { settings: SettingsRequest; listed: ListedKey }) {
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
        </span>
        <span class="hint">{historyOf(listed, c.get('now'))}</span>
      </div>
      {canRevoke && (
        <Confirmed
          action="Revoke"
          sure={`Revoke …${listed.last_four}`}
          href={settingsHref(request, `/keys/${listed.id}/revoke`)}
        >
          {`Revoked keys stop working within 90 seconds. You cannot undo this.${isOwn ? ' You are signed out with it.' : ''}`}
        </Confirmed>
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

/** The hour is all that is known of it. */
function usedAt(iso: string, now: number): string {
  return now - Date.parse(iso) < HOUR_MS ? 'within the last hour' : toAge(iso, now)
}

function KeyForm({ settings, applications }: Omit<KeysShown, 'keys'>) {
  const { request, refused } = settings
  const { typed, problem } = refused?.form === 'keys' ? refused : { typed: null, problem: null }
  const handle = typed ? typed.text('handle') : request.application.handle
  const scope = typed ? typed.text('scope') : 'client'
  return (
    <form method="post" action={settingsHref(request, '/keys')} class="fields">
      <h3>Create API key</h3>
      <InputField label="Name" name="name" id="key-name" value={typed?.text('name') ?? ''} problem={problem} required />
      <fieldset>
        <legend>Access</legend>
        {SCOPES.map((choice) => (
          <label class="box">
            <input type="radio" name="scope" value={choice.scope} checked={choice.scope === scope} required />
            <span>
              <strong>{SCOPE_LABELS[choice.scope]}</strong> <span class="hint">{choice.what}</span>
            </span>
          </label>
        ))}
        <FaultsOfField id="key-scope" faults={faultsOf(problem, 'scope')} />
      </fieldset>
      <Field
        label="Application"
        id="key-handle"
        hint="A full-access key can also use your other applications."
        faults={faultsOf(problem, 'handle')}
      >
        {(attributes) => (
          <select name="handle" {...attributes}>
            {applications.map((application) => (
              <option value={application.handle} selected={application.handle === handle}>
                {`${application.name} (@${application.handle})`}
              </option>
            ))}
            <option value="" selected={handle === ''}>
              All applications
            </option>
          </select>
        )}
      </Field>
      <div>
        <button type="submit">Create API key</button>
      </div>
    </form>
  )
}
