import { MAX_NAME_CHARACTERS, type SavedQuestion } from '../../accounts/applications/saved-questions.ts'
import { hrefOfSaved, type SavingNews, toSavedAddress } from '../saved-address.ts'
import type { View } from '../view.ts'

/** Questions that the menu shows; the list has all of them. */
const SHOWN = 30

interface SavedShown {
  /** By name. */
  readonly saved: readonly SavedQuestion[]
  readonly view: View
  /** The application's own address. */
  readonly home: string
}

/** Saved questions to open, and a name for the one that is asked. */
export function SavedMenu({ saved, view, home, canSave }: SavedShown & { canSave: boolean }) {
  const address = toSavedAddress(view, home) ?? ''
  const current = saved.find((question) => question.address === address)
  const list = `${home}/saved-questions`
  return (
    <details class="menu saved">
      <summary aria-current={current ? 'true' : undefined}>
        {current ? <bdi title={current.name}>{current.name}</bdi> : 'Saved reports'}
      </summary>
      <div class="panel">
        {saved.length === 0 && <p class="hint">No saved reports yet.</p>}
        {saved.length > 0 && (
          <ul>
            {saved.slice(0, SHOWN).map((question) => (
              <li>
                <a href={hrefOfSaved(home, question.address)} aria-current={question === current ? 'true' : undefined}>
                  <bdi title={question.name}>{question.name}</bdi>
                </a>
              </li>
            ))}
          </ul>
        )}
        {saved.length > 0 && <a href={list}>All saved reports</a>}
        {canSave && (
          <form method="post" action={list} class="naming">
            <input type="hidden" name="address" value={hrefOfSaved(home, address)} />
            <label>
              Save this report as
              <input name="name" required maxlength={MAX_NAME_CHARACTERS} autocomplete="off" />
            </label>
            <button type="submit">Save</button>
          </form>
        )}
      </div>
    </details>
  )
}

/** That the question was saved, right after it was. */
export function SavedNote({ saved, view, home, news }: SavedShown & { news: SavingNews }) {
  const address = toSavedAddress(view, home)
  // The address may have been sent to somebody, and the question been deleted.
  const names = saved.filter((question) => question.address === address).map(({ name }) => name)
  if (names.length === 0) return null
  return (
    <p class="note" role="status">
      {news === 'new' ? 'Saved as ' : 'Replaced the saved report '}
      <bdi>{names.join(', ')}</bdi>.
    </p>
  )
}
