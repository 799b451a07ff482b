import { MAX_INIT_DATA_HOURS } from '../../access/init-data/init-data.ts'
import { InputField } from '../components/field.tsx'
import type { PageProblem } from '../components/problem.tsx'
import { type FormFields, numberIn } from '../forms.ts'
import { ReadOnly, Section, type SettingsRequest, settingsHref } from './section.tsx'

/** As the fields of the form have them. */
interface RealUsersValues {
  readonly botId: string
  readonly hours: string
  readonly isVerifiedOnly: boolean
}

/** Whoever pastes the whole token of their bot means the id that it begins with: the rest is not looked at. */
function typedIn(typed: FormFields): RealUsersValues {
  return {
    botId: typed.trimmed('bot_id').replace(/:.*$/s, ''),
    hours: typed.trimmed('init_data_hours'),
    isVerifiedOnly: typed.text('verified_only') !== '',
  }
}

/** What was typed as the operation takes it. What is no number it is told as it stands there. */
export function realUsersTyped(typed: FormFields) {
  const { botId, hours, isVerifiedOnly } = typedIn(typed)
  return {
    bot_id: botId === '' ? null : numberIn(botId),
    init_data_hours: numberIn(hours),
    verified_only: isVerifiedOnly,
  }
}

/** Whether the messenger itself is asked who somebody is. */
export function RealUsersSection({ settings }: { settings: SettingsRequest }) {
  const { request, refused } = settings
  const { botId, initDataHours, verifiedOnly } = request.application
  const kept = { botId: String(botId ?? ''), hours: String(initDataHours), isVerifiedOnly: verifiedOnly }
  const isRefused = refused?.form === 'real-users'
  return (
    <Section id="real-users" title="Verification (init data)" settings={settings}>
      <p>
        Anyone can read the API key in your mini-app and send events of users who do not exist. Telegram signs who
        opened the mini-app, and the Mauve client sends this init data along. With your bot's id, Mauve checks the
        signature. Events that pass are <strong>verified</strong>; use that as a filter or breakdown on every page.
      </p>
      {request.visitor.canChange ? (
        <RealUsersForm
          values={isRefused ? typedIn(refused.typed) : kept}
          problem={isRefused ? refused.problem : null}
          action={settingsHref(request, '/real-users')}
        />
      ) : (
        <ReadOnly
          rows={[
            ['Bot id', kept.botId || 'None: events are not verified'],
            ['Init data expires after (hours)', kept.hours],
            ['Only verified events', verifiedOnly ? 'Yes' : 'No'],
          ]}
        />
      )}
    </Section>
  )
}

interface RealUsersFormShown {
  readonly values: RealUsersValues
  readonly problem: PageProblem | null
  readonly action: string
}

function RealUsersForm({ values, problem, action }: RealUsersFormShown) {
  return (
    <form method="post" action={action} class="fields">
      <InputField
        label="Bot id"
        name="bot_id"
        hint="The digits before the colon in the bot token, such as 7342037359 of 7342037359:AAH… Only the id is stored, never the secret. Leave empty to turn verification off."
        value={values.botId}
        problem={problem}
        inputmode="numeric"
      />
      <InputField
        label="Init data expires after (hours)"
        name="init_data_hours"
        hint={`1 to ${MAX_INIT_DATA_HOURS}. After that the mini-app has to be opened again; the client sends waiting events then.`}
        value={values.hours}
        problem={problem}
        required
        inputmode="numeric"
      />
      <div class="field">
        <label class="box">
          <input
            type="checkbox"
            name="verified_only"
            checked={values.isVerifiedOnly}
            aria-describedby="verified_only-hint"
          />
          <strong>Accept only verified events from mini-apps</strong>
        </label>
        <span class="hint" id="verified_only-hint">
          Refuses all other events sent with a tracking-only key, including those of clients that send no init data.
          Servers with a full-access key are not affected.
        </span>
      </div>
      <div class="row">
        <button type="submit">Save</button>
        <span class="hint">Changes take effect within 90 seconds.</span>
      </div>
    </form>
  )
}
