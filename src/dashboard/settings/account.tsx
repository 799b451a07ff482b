import type { Handler } from 'hono'
import type { Child } from 'hono/jsx'
import { listMembers } from '../../accounts/members.ts'
import { Failure } from '../../base/errors.ts'
import { calendarOf, UTC_NAME } from '../../base/time/calendar.ts'
import type { AppEnv } from '../../http/context.ts'
import type { Again } from '../forms/sent-form.ts'
import { ACCOUNT, type AccountPage, accountHref, accountPagesOf } from '../frame/account-pages.ts'
import { answerPage } from '../frame/page.tsx'
import { Navigation } from '../frame/rail.tsx'
import { SignOut } from '../frame/sign-out.tsx'
import { readView } from '../request/address.ts'
import { contextAbout } from '../request/application-request.ts'
import type { PageContent } from '../request/page-content.ts'
import { seesAccount } from '../request/visitor.ts'
import { auditPart } from './audit.tsx'
import { keysPart, visibleKeys } from './keys.tsx'
import { membersPart } from './members.tsx'
import { type FormRequest, type Part, sectionsOf } from './section.tsx'

/** A page of the account, which is about no application, or what a form of one leads to. */
export function accountPage(make: (request: FormRequest) => Promise<PageContent | Response>): Handler<AppEnv> {
  return async (c) => {
    const visitor = c.get('visitor')
    const now = c.get('now')
    const view = readView(new URL(c.req.url), calendarOf(UTC_NAME).dayOf(now))
    const { context } = contextAbout(c, null)
    const clock = { now, timeZone: UTC_NAME }
    const page = await make({ c, visitor, context, clock, view, application: null, base: ACCOUNT })
    if (page instanceof Response) return page
    const pages = accountPagesOf(visitor)
    const links = pages.map((entry) => {
      const href = accountHref(entry.page)
      return { ...entry, href, isCurrent: view.path === href || view.path.startsWith(`${href}/`), isInBar: true }
    })
    return answerPage(c, {
      title: [page.subject, page.title].filter(Boolean).join(' · '),
      status: page.status,
      visitor,
      navigation: <Navigation label="Account" links={links} />,
      content: (
        <>
          <h1>{page.title}</h1>
          {page.content}
        </>
      ),
    })
  }
}

/** The parts of the account, each of which has a page of its own. */
export const ACCOUNT_PARTS: readonly Part<FormRequest>[] = [
  membersPart,
  keysPart,
  auditPart,
  {
    id: 'session',
    title: 'Session',
    content: async ({ request }) => (
      <>
        <p>
          Signed in to <bdi>{request.visitor.accountName}</bdi> {await meansOf(request)}
          {request.visitor.canChange ? ', with full access.' : ', with view-only access.'} A session lasts 30 days.
        </p>
        <SignOut />
      </>
    ),
  },
]

/** Throws `forbidden` for those who may not know the account's keys and members. */
export async function accountContent(
  request: FormRequest,
  { label, isForAll }: AccountPage,
  parts: readonly Part<FormRequest>[],
  again: Again | null,
): Promise<PageContent> {
  if (!isForAll && !seesAccount(request.visitor)) {
    throw new Failure('forbidden', 'A read-only key does not open the keys, members and audit list of the account.')
  }
  return {
    title: 'Account',
    subject: label,
    content: await sectionsOf(parts, request, again),
  }
}

async function meansOf(request: FormRequest): Promise<Child> {
  const { c, visitor } = request
  const { accountId, telegramId, keyId } = visitor
  const key = (await visibleKeys(request)).find(({ id }) => id === keyId)
  if (key) return <>{`with the key …${key.last_four}`}</>
  if (telegramId === null) return <>by a link</>
  const name = (await listMembers(c.get('db'), accountId)).find((member) => member.telegramId === telegramId)?.name
  return (
    <>
      as {name && <bdi>{name}</bdi>} {`(${telegramId})`}
    </>
  )
}
