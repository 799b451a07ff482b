import type { Hono } from 'hono'
import type { AppEnv } from '../context.ts'
import { applicationsPage } from './applications-page.tsx'
import { eventsCsv } from './events-csv.ts'
import { eventsPage } from './events-page.tsx'
import { funnelsPage } from './funnels-page.tsx'
import { NEW_APPLICATION, newApplicationPage, registerOnPage } from './new-application.tsx'
import { offerValues } from './offered-values.ts'
import { overviewPage } from './overview.tsx'
import { pathsPage } from './paths.tsx'
import { retentionPage } from './retention.tsx'
import { deleteQuestion, savedQuestionsPage, saveQuestionPage } from './saved-questions-page.tsx'
import { mountSettings } from './settings/pages.ts'
import { userPage } from './user.tsx'
import { eraseOnPage } from './user-erasure.tsx'
import { openTypedUser, usersPage } from './users.tsx'
import { valuesPage } from './values-page.tsx'

/** The pages, for whoever is signed in. */
export function mountPages(pages: Hono<AppEnv>): void {
  pages.get('/dashboard', applicationsPage)
  pages.get(NEW_APPLICATION, newApplicationPage)
  pages.post(NEW_APPLICATION, registerOnPage)
  pages.get('/dashboard/:handle', overviewPage)
  pages.get('/dashboard/:handle/values', valuesPage)
  pages.get('/dashboard/:handle/events', eventsPage)
  pages.get('/dashboard/:handle/events.csv', eventsCsv)
  pages.get('/dashboard/:handle/retention', retentionPage)
  pages.get('/dashboard/:handle/paths', pathsPage)
  pages.get('/dashboard/:handle/funnels', funnelsPage)
  pages.get('/dashboard/:handle/property-values', offerValues)
  pages.get('/dashboard/:handle/saved-questions', savedQuestionsPage())
  pages.post('/dashboard/:handle/saved-questions', saveQuestionPage)
  pages.post('/dashboard/:handle/saved-questions/delete', deleteQuestion)
  pages.get('/dashboard/:handle/users', openTypedUser, usersPage)
  pages.get('/dashboard/:handle/users/:telegram_id', userPage)
  pages.post('/dashboard/:handle/users/:telegram_id/erase', eraseOnPage)
  mountSettings(pages)
}
