import { BoundField, type ShownForm } from './bound-field.tsx'

interface DetailsShown {
  readonly of: ShownForm
}

export function NameField({ of }: DetailsShown) {
  return <BoundField of={of} at="name" label="Name" />
}

export function DetailsFields({ of }: DetailsShown) {
  return (
    <>
      <BoundField
        of={of}
        at="link"
        label="Link"
        hint="The address that opens it: https://… or t.me/…"
        inputmode="url"
      />
      <BoundField of={of} at="description" label="Description (optional)" rows={3} />
      <BoundField
        of={of}
        at="photo_url"
        label="Photo"
        hint="The address of an image, such as its icon: https://…"
        inputmode="url"
      />
    </>
  )
}
