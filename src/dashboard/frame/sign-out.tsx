import { SIGN_OUT } from '../request/next-page.ts'

export function SignOut() {
  return (
    <form method="post" action={SIGN_OUT}>
      <button type="submit" class="quiet">
        Sign out
      </button>
    </form>
  )
}
