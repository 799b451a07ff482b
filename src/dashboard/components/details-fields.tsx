import type { Fields } from '../forms.ts'
import { Field, faultsOf } from './field.tsx'
import type { Problem } from './problem.tsx'

/** An application's details in the words of the operations. */
export type DetailValues = Readonly<Record<'name' | 'link' | 'description' | 'photo_url', string>>

export function detailsTyped(fields: Fields): DetailValues {
  return {
    name: fields.trimmed('name'),
    link: fields.trimmed('link'),
    description: fields.trimmed('description').replaceAll('\r\n', '\n'),
    photo_url: fields.trimmed('photo_url'),
  }
}

interface DetailsShown {
  readonly values: DetailValues
  readonly problem: Problem | null
}

export function NameField({ values, problem }: DetailsShown) {
  return (
    <Field label="Name" id="name" faults={faultsOf(problem, 'name')}>
      {(attributes) => <input name="name" value={values.name} required autocomplete="off" {...attributes} />}
    </Field>
  )
}

/** What an application's owner says of it beside its name. */
export function DetailsFields({ values, problem }: DetailsShown) {
  return (
    <>
      <Field label="Link" id="link" hint="Where people open it: https://… or t.me/…" faults={faultsOf(problem, 'link')}>
        {(attributes) => (
          <input name="link" value={values.link} required inputmode="url" autocomplete="off" {...attributes} />
        )}
      </Field>
      <Field label="Description (if you like)" id="description" faults={faultsOf(problem, 'description')}>
        {(attributes) => (
          <textarea name="description" rows={3} {...attributes}>
            {values.description}
          </textarea>
        )}
      </Field>
      <Field
        label="Photo"
        id="photo_url"
        hint="The address of a picture, such as its icon: https://…"
        faults={faultsOf(problem, 'photo_url')}
      >
        {(attributes) => (
          <input
            name="photo_url"
            value={values.photo_url}
            required
            inputmode="url"
            autocomplete="off"
            {...attributes}
          />
        )}
      </Field>
    </>
  )
}
