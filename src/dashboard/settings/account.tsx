import type { Handler } from 'hono'
import type { Child } from 'hono/jsx'
import { listOwnApplications } from '../../accounts/applications/applications.ts'
import { listMembers } from '../../accounts/members.ts'
import { Failure } from '../../base/errors.ts'
import { calendarOf, UTC_NAME } from '../../base/time/calendar.ts'
import type { AppEnv } from '../../http/context.ts'
import { ACCOUNT, ACCOUNT_PAGES, accountHref, accountPagesOf } from '../frame/account-pages.ts'
import { answerPage } from '../frame/page.tsx'
import { Navigation } from '../frame/rail.tsx'
import { SignOut } from '../frame/sign-out.tsx'
import { readView } from '../request/address.ts'
import { contextAbout } from '../request/application-request.ts'
import type { PageContent } from '../request/page-content.ts'
import { seesAccount } from '../request/visitor.ts'
import { AuditSection, readAudit } from './audit.tsx'
import { KeysSection, visibleKeys } from './keys.tsx'
import { MembersSection } from './members.tsx'
import { type FormRequest, type FormState, Section } from './section.tsx'

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

/** Throws `not-found`, and `forbidden` for those who may not know the account's keys and members. */
export async function accountContent({ request, refused }: FormState, page: string): Promise<PageContent> {
  const shown = ACCOUNT_PAGES.find((known) => known.page === page)
  const makeContent = CONTENTS[page]
  if (!shown || !makeContent) throw new Failure('not-found', 'There is no such page of the account.')
  if (!shown.isForAll && !seesAccount(request.visitor)) {
    throw new Failure('forbidden', 'A read-only key does not open the keys, members and audit list of the account.')
  }
  return {
    title: 'Account',
    subject: shown.label,
    status: refused ? 422 : 200,
    content: await makeContent({ request, refused }),
  }
}

const CONTENTS: Readonly<Record<string, (state: FormState) => Promise<Child>>> = {
  members: async (state) => <MembersSection {...state} members={await membersOf(state.request)} />,
  keys: async (state) => {
    const { c, visitor } = state.request
    const applications = await listOwnApplications(c.get('db'), visitor)
    return <KeysSection {...state} keys={await visibleKeys(state.request)} applications={applications} />
  },
  audit: async (state) => <AuditSection {...state} audit={await readAudit(state.request)} />,
  session: async (state) => <SessionSection {...state} means={await meansOf(state.request)} />,
}

function membersOf({ c, visitor }: FormRequest) {
  return listMembers(c.get('db'), visitor.accountId)
}

function SessionSection({ means, ...state }: FormState & { means: Child }) {
  const { visitor } = state.request
  return (
    <Section id="session" title="Session" settings={state}>
      <p>
        Signed in to <bdi>{visitor.accountName}</bdi> {means}
        {visitor.canChange ? ', with full access.' : ', with view-only access.'} A session lasts 30 days.
      </p>
      <SignOut />
    </Section>
  )
}

async function meansOf(request: FormRequest): Promise<Child> {
  const { telegramId, keyId } = request.visitor
  const key = (await visibleKeys(request)).find(({ id }) => id === keyId)
  if (key) return <>{`with the key …${key.last_four}`}</>
  if (telegramId === null) return <>by a link</>
  const name = (await membersOf(request)).find((member) => member.telegramId === telegramId)?.name
  return (
    <>
      as {name && <bdi>{name}</bdi>} {`(${telegramId})`}
    </>
  )
}
