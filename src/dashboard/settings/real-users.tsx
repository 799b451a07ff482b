import { MAX_INIT_DATA_HOURS } from '../../init-data/init-data.ts'
import { InputField } from '../components/field.tsx'
import type { Problem } from '../components/problem.tsx'
import { type Fields, numberIn } from '../forms.ts'
import { Section, type SettingsRequest, settingsHref } from './section.tsx'

/** As the fields of the form have them. */
interface RealUsersValues {
  readonly botId: string
  readonly hours: string
  readonly isVerifiedOnly: boolean
}

/** Whoever pastes the whole token of their bot means the id that it begins with: the rest is not looked at. */
function typedIn(typed: Fields): RealUsersValues {
  return {
    botId: typed.trimmed('bot_id').replace(/:.*$/s, ''),
    hours: typed.trimmed('init_data_hours'),
    isVerifiedOnly: typed.text('verified_only') !== '',
  }
}

/** What was typed as the operation takes it. What is no number it is told as it stands there. */
export function realUsersTyped(typed: Fields) {
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
    <Section id="real-users" title="Users that are real" settings={settings}>
      <p>
        Anybody can read the key in your mini-app, and with it send events of users who do not exist. The messenger
        signs who opened the mini-app, and our client sends that along: with your bot's id we check it. Events that pass
        are <strong>verified</strong>, which every page can filter and split by.
      </p>
      {request.visitor.canChange ? (
        <RealUsersForm
          values={isRefused ? typedIn(refused.typed) : kept}
          problem={isRefused ? refused.problem : null}
          action={settingsHref(request, '/real-users')}
        />
      ) : (
        <dl class="destination">
          <dt>Id of the bot</dt>
          <dd>{kept.botId || 'none: nobody is checked'}</dd>
          <dt>Hours since the mini-app was opened</dt>
          <dd>{kept.hours}</dd>
          <dt>Only verified events</dt>
          <dd>{verifiedOnly ? 'yes' : 'no'}</dd>
        </dl>
      )}
    </Section>
  )
}

interface RealUsersFormShown {
  readonly values: RealUsersValues
  readonly problem: Problem | null
  readonly action: string
}

function RealUsersForm({ values, problem, action }: RealUsersFormShown) {
  return (
    <form method="post" action={action} class="fields">
      <InputField
        label="Id of your bot"
        name="bot_id"
        hint="The digits before the colon of its token: of 7342037359:AAH… it is 7342037359. The rest of the token is a secret and does not belong here. Leave it empty to check nobody."
        value={values.botId}
        problem={problem}
        inputmode="numeric"
      />
      <InputField
        label="Hours since the mini-app was opened"
        name="init_data_hours"
        hint={`What the messenger signed is believed for so long, 1 to ${MAX_INIT_DATA_HOURS}. Who keeps the mini-app open longer opens it again, and what waited is sent then.`}
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
          <strong>Take only verified events from pages</strong>
        </label>
        <span class="hint" id="verified_only-hint">
          Everything else that comes with a key of scope client is refused: also from clients that send no names, and
          from published ones. Your server, with a key of scope full, is not asked.
        </span>
      </div>
      <div class="row">
        <button type="submit">Save</button>
        <span class="hint">It holds everywhere within 90 seconds.</span>
      </div>
    </form>
  )
}
