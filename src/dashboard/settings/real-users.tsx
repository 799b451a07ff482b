import { EFFECT_SECONDS } from '../../access/api-keys.ts'
import { MAX_INIT_DATA_HOURS } from '../../access/init-data/init-data.ts'
import { ApplicationChanges } from '../../accounts/applications/contract.ts'
import { updateApplicationRoute } from '../../lifecycle/applications/routes.ts'
import { BoundField } from '../forms/bound-field.tsx'
import { numberIn, refusalOf } from '../forms/fields-of-form.ts'
import { type Codec, formOf } from '../forms/form-of.ts'
import { type Part, partHref, SettingsForm, shownIn } from './section.tsx'

/** Reads the bot's id. If the whole token is pasted, the id that it begins with counts, and the rest is not looked at. */
const BOT_ID: Codec = {
  read(fields, name) {
    const id = fields.trimmed(name).replace(/:.*$/s, '')
    return id === '' ? null : numberIn(id)
  },
  fill: (id) => id,
}

const realUsersForm = formOf(
  ApplicationChanges.pick({ bot_id: true, init_data_hours: true, verified_only: true }).required(),
  { bot_id: BOT_ID },
)

const NEEDS_BOT = 'Verification needs your bot id: fill it in, or accept unverified events'
/** Says that a whole token was pasted. */
const WITHOUT_SECRET = 'real-users-id'
const IN_EFFECT = `The change takes effect within ${EFFECT_SECONDS} seconds.`

export const realUsersPart: Part = {
  id: 'real-users',
  title: 'Verification (init data)',
  content: (settings) => {
    const { application } = settings.request
    const { botId, initDataHours, verifiedOnly } = application
    const stored = { bot_id: botId, init_data_hours: initDataHours, verified_only: verifiedOnly }
    const of = shownIn(settings, realUsersForm, stored)
    return (
      <>
        <p>
          Anyone can read the API key in your mini-app and send events of users who do not exist. Telegram signs who
          opened the mini-app, and the Mauve client sends this init data along. With your bot's id, Mauve checks the
          signature. Events that pass are <strong>verified</strong>; use that as a filter or breakdown on every page.
        </p>
        <SettingsForm
          settings={settings}
          note={`Changes take effect within ${EFFECT_SECONDS} seconds.`}
          facts={[
            ['Bot id', String(botId ?? '') || 'None: events are not verified'],
            ['Init data expires after (hours)', String(initDataHours)],
            ['Only verified events', verifiedOnly ? 'Yes' : 'No'],
          ]}
        >
          <BoundField
            of={of}
            at="bot_id"
            label="Bot id"
            hint="The digits before the colon in the bot token, such as 7342037359 of 7342037359:AAH… Only the id is stored, never the secret. Leave empty to turn verification off."
          />
          <BoundField
            of={of}
            at="init_data_hours"
            label="Init data expires after (hours)"
            hint={`1 to ${MAX_INIT_DATA_HOURS}. After that the mini-app has to be opened again; the client sends waiting events then.`}
            required
          />
          <BoundField
            of={of}
            at="verified_only"
            label="Accept only verified events from mini-apps"
            hint="Refuses all other events sent with a tracking-only key, including those of clients that send no init data. Servers with a full-access key are not affected."
          />
        </SettingsForm>
      </>
    )
  },
  forms: {
    '/real-users': async (request, typed) => {
      const { application, context, c } = request
      const body = realUsersForm.parse(typed)
      if (body.verified_only && body.bot_id === null) throw refusalOf('bot_id', NEEDS_BOT)
      await updateApplicationRoute.ask({ path: { handle: application.handle }, body }, context)
      const hasSecret = typed.trimmed('bot_id').includes(':')
      return hasSecret ? c.redirect(partHref(request, 'real-users', { done: WITHOUT_SECRET }), 303) : undefined
    },
  },
  notices: {
    'real-users': `Saved. ${IN_EFFECT}`,
    [WITHOUT_SECRET]: `Only the id of the bot token was kept; the secret after the colon was dropped. ${IN_EFFECT}`,
  },
}
