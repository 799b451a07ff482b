import type { PageProblem } from '../request/problem.tsx'
import { Field, faultsOf, InputField } from './field.tsx'
import type { FormFields } from './fields-of-form.ts'

/** An application's details in the words of the operations. */
export type DetailValues = Readonly<Record<'name' | 'link' | 'description' | 'photo_url', string>>

export function detailsTyped(fields: FormFields): DetailValues {
  return {
    name: fields.trimmed('name'),
    link: fields.trimmed('link'),
    description: fields.trimmed('description').replaceAll('\r\n', '\n'),
    photo_url: fields.trimmed('photo_url'),
  }
}

interface DetailsShown {
  readonly values: DetailValues
  readonly problem: PageProblem | null
}

export function NameField({ values, problem }: DetailsShown) {
  return <InputField label="Name" name="name" value={values.name} problem={problem} required />
}

export function DetailsFields({ values, problem }: DetailsShown) {
  const shared = { problem, required: true, inputmode: 'url' } as const
  return (
    <>
      <InputField
        {...shared}
        label="Link"
        name="link"
        hint="The address that opens it: https://… or t.me/…"
        value={values.link}
      />
      <Field label="Description (optional)" id="description" faults={faultsOf(problem, 'description')}>
        {(attributes) => (
          <textarea name="description" rows={3} {...attributes}>
            {values.description}
          </textarea>
        )}
      </Field>
      <InputField
        {...shared}
        label="Photo"
        name="photo_url"
        hint="The address of an image, such as its icon: https://…"
        value={values.photo_url}
      />
    </>
  )
}
