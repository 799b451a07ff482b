const ROWS = 'form[data-rows]'

/** Buttons that change the rows of a form, and choices on which rows depend, replace the form by the one of the next page. */
export function changeRowsHere(): void {
  document.documentElement.classList.add('scripted')
  const change = async (form: HTMLFormElement, button: HTMLButtonElement) => {
    const body = new FormData(form, button)
    // Its buttons are called "action", so the property of that name is one of them.
    const response = await fetch(form.getAttribute('action') ?? '', { method: 'POST', body }).catch(() => null)
    const text = response?.ok ? await response.text() : ''
    const next = new DOMParser().parseFromString(text, 'text/html').querySelector<HTMLFormElement>(ROWS)
    if (!next) {
      const action = Object.assign(document.createElement('input'), {
        type: 'hidden',
        name: 'action',
        value: button.value,
      })
      form.append(action)
      return form.submit()
    }
    form.replaceWith(next)
    const rows = next.querySelectorAll<HTMLElement>('.condition select')
    const chosen = button.value.startsWith('add ')
      ? [...next.querySelectorAll<HTMLElement>('[data-edits] select')].at(-1)
      : null
    ;(chosen ?? next.querySelector<HTMLElement>(`[name="${focused(form)}"]`) ?? rows[0])?.focus()
  }
  const focused = (form: HTMLFormElement) => CSS.escape(form.dataset.focused ?? '')
  addEventListener(
    'submit',
    (event) => {
      const { target: form, submitter: button } = event as SubmitEvent
      const isOurs = form instanceof HTMLFormElement && form.matches(ROWS) && button instanceof HTMLButtonElement
      if (!isOurs || !/^(add|remove|edit)\b/.test(button.value)) return
      event.preventDefault()
      event.stopImmediatePropagation()
      change(form, button)
    },
    true,
  )
  addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLSelectElement) || !target.form || !target.closest('[data-edits]')) return
    target.form.dataset.focused = target.name
    const button = target.form.querySelector<HTMLButtonElement>('button[value="edit"]')
    if (button) target.form.requestSubmit(button)
  })
}
