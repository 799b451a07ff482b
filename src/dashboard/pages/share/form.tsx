import { z } from 'zod'
import {
  ATTEMPTS_MINUTES,
  MAX_ATTEMPTS,
  MAX_HOSTS,
  PASSWORD_CHARACTERS,
  readHost,
} from '../../../accounts/shares/shares.ts'
import { issue, reject, text } from '../../../http/params.ts'
import { BoundField } from '../../forms/bound-field.tsx'
import { type Codec, formOf } from '../../forms/form-of.ts'
import type { Again } from '../../forms/sent-form.ts'
import { Snippet } from '../../forms/snippet.tsx'

interface ShareFormShown {
  readonly action: string
  readonly board: string | null
  readonly report: string | null
  readonly again: Again | null
}

/** Days, and their names; 0 for a link that does not expire. */
const EXPIRY = [
  ['1', '1 day'],
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['0', 'Never'],
] as const

const { min, max } = PASSWORD_CHARACTERS
const PASSWORD_FAULT = `A password has ${min} to ${max} characters`
const NO_HOST = 'Input should be an address such as https://example.com'

const NewShare = z.object({
  days: z.enum(EXPIRY.map(([days]) => days)),
  password: text({ min: 0, max, pattern: new RegExp(`^.{${min},}$`, 'su'), mismatch: PASSWORD_FAULT }).optional(),
  hosts: z
    .array(z.string().transform((host, context) => readHost(host) ?? reject(context, issue('value_error', NO_HOST))))
    .max(MAX_HOSTS)
    .default([]),
})

/** A password is taken as it was typed, and never shown again. */
const PASSWORD: Codec = { read: (fields, name) => fields.text(name) || undefined, fill: () => '' }

export const shareForm = formOf(NewShare, { password: PASSWORD })

export function ShareForm({ action, board, report, again }: ShareFormShown) {
  const of = {
    form: shareForm,
    body: again ? shareForm.read(again.typed) : { days: '30' },
    problem: again?.problem ?? null,
  }
  return (
    <form method="post" action={action} class="fields">
      {board !== null && <input type="hidden" name="board" value={board} />}
      {report !== null && <input type="hidden" name="report" value={report} />}
      <p class="hint">
        Anyone with the link sees these figures, for this period and with these filters only. They see no users, and no
        values that may identify people.
      </p>
      <BoundField of={of} at="days" label="Expires after" options={EXPIRY} />
      <BoundField
        of={of}
        at="password"
        label="Password (optional)"
        hint={`After ${MAX_ATTEMPTS} wrong passwords, the link is locked for everyone for ${ATTEMPTS_MINUTES} minutes.`}
        type="password"
        autocomplete="new-password"
      />
      <BoundField
        of={of}
        at="hosts"
        label="Sites that may embed it (optional)"
        hint="One per line, such as https://example.com"
        rows={3}
      />
      <div>
        <button type="submit">Create link</button>
      </div>
    </form>
  )
}

interface NewLinkShown {
  readonly home: string
  readonly origin: string
  /** The name of the application. */
  readonly name: string
  readonly token: string
}

/** A link that was just made, this once. */
export function NewLink({ home, origin, name, token }: NewLinkShown) {
  const address = `${origin}/share/${token}`
  const frame = `<iframe src="${address}" title="${name.replaceAll(/["&<>]/g, '')}" width="100%" height="600"></iframe>`
  return (
    <section class="card" data-shown-once={`${home}/shares`}>
      <h2>Link created</h2>
      <p class="note" role="status">
        Copy the link now: it is shown only once. If you lose it, revoke it and create another.
      </p>
      <Snippet label="Link" text={address} />
      <h3>Embed it in a listed site</h3>
      <Snippet label="HTML" text={frame} />
      <p>
        <a class="button quiet" href={`${home}/shares`}>
          Done
        </a>
      </p>
    </section>
  )
}
