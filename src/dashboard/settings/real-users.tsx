import { EFFECT_SECONDS } from '../../access/api-keys.ts'
import { MAX_INIT_DATA_HOURS } from '../../access/init-data/init-data.ts'
import { Invalid } from '../../base/errors.ts'
import { updateApplicationRoute } from '../../lifecycle/applications/routes.ts'
import { InputField, SwitchField } from '../forms/field.tsx'
import { type FormFields, numberIn } from '../forms/fields-of-form.ts'
import {
  doneHref,
  ReadOnly,
  refusedIn,
  Section,
  type Settings,
  SettingsForm,
  type SettingsRequest,
} from './section.tsx'

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

/** Leads back, and says so where a whole token was pasted. */
export async function changeRealUsers(request: SettingsRequest, typed: FormFields): Promise<Response> {
  const { application, context, c } = request
  const { botId, hours, isVerifiedOnly } = typedIn(typed)
  if (isVerifiedOnly && botId === '') throw new Invalid([NEEDS_BOT])
  const body = {
    // What is no number the operation is told as it stands there.
    bot_id: botId === '' ? null : numberIn(botId),
    init_data_hours: numberIn(hours),
    verified_only: isVerifiedOnly,
  }
  await updateApplicationRoute.ask({ path: { handle: application.handle }, body }, context)
  const hasSecret = typed.trimmed('bot_id').includes(':')
  return c.redirect(doneHref(request, 'real-users', hasSecret ? 'real-users-id' : undefined), 303)
}

const NEEDS_BOT = {
  loc: ['body', 'bot_id'],
  msg: 'Verification needs your bot id: fill it in, or accept unverified events',
  type: 'value_error',
}

export function RealUsersSection(settings: Settings) {
  const { application, visitor } = settings.request
  const { botId, initDataHours, verifiedOnly } = application
  const { typed, problem } = refusedIn(settings, 'real-users')
  const values = typed
    ? typedIn(typed)
    : { botId: String(botId ?? ''), hours: String(initDataHours), isVerifiedOnly: verifiedOnly }
  return (
    <Section id="real-users" title="Verification (init data)" settings={settings}>
      <p>
        Anyone can read the API key in your mini-app and send events of users who do not exist. Telegram signs who
        opened the mini-app, and the Mauve client sends this init data along. With your bot's id, Mauve checks the
        signature. Events that pass are <strong>verified</strong>; use that as a filter or breakdown on every page.
      </p>
      {visitor.canChange ? (
        <SettingsForm
          settings={settings}
          path="/real-users"
          note={`Changes take effect within ${EFFECT_SECONDS} seconds.`}
        >
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
          <SwitchField
            name="verified_only"
            label="Accept only verified events from mini-apps"
            hint="Refuses all other events sent with a tracking-only key, including those of clients that send no init data. Servers with a full-access key are not affected."
            isOn={values.isVerifiedOnly}
          />
        </SettingsForm>
      ) : (
        <ReadOnly
          rows={[
            ['Bot id', values.botId || 'None: events are not verified'],
            ['Init data expires after (hours)', values.hours],
            ['Only verified events', verifiedOnly ? 'Yes' : 'No'],
          ]}
        />
      )}
    </Section>
  )
}
