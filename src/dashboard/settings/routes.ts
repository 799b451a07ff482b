import type { Hono } from 'hono'
import type { AppEnv } from '../../http/context.ts'
import { plainPage } from '../application-page.tsx'
import {
  changeApplication,
  changeCapture,
  changeKeeping,
  changeRealUsers,
  deleteOnPage,
  dropMember,
  endKey,
  makeKey,
  putMember,
  setRole,
} from './changes.tsx'
import { connectionFragment } from './connection.tsx'
import { downloadExport } from './export.tsx'
import { settingsContent } from './page.tsx'
import { settingsHref } from './section.tsx'

const SETTINGS = '/dashboard/:handle/settings'
const KEY = `${SETTINGS}/keys/:id`
const MEMBER = `${SETTINGS}/members/:telegram_id{[0-9]{1,16}}`

/** The settings of an application and of its account, and the forms on them. */
export function mountSettings(pages: Hono<AppEnv>): void {
  pages.get(
    SETTINGS,
    plainPage((request) => settingsContent(request)),
  )
  pages.get('/dashboard/:handle/connection', connectionFragment)
  pages.get('/dashboard/:handle/export', downloadExport)
  pages.post(`${SETTINGS}/application`, changeApplication)
  pages.post(`${SETTINGS}/capture`, changeCapture)
  pages.post(`${SETTINGS}/real-users`, changeRealUsers)
  pages.post(`${SETTINGS}/keeping`, changeKeeping)
  pages.post(`${SETTINGS}/keys`, makeKey)
  pages.post(`${KEY}/revoke`, endKey)
  pages.post(`${SETTINGS}/members`, putMember)
  pages.post(`${MEMBER}/role`, setRole)
  pages.post(`${MEMBER}/remove`, dropMember)
  pages.post(`${SETTINGS}/deletion`, deleteOnPage)
  // Whoever asks again for an address to which a form was sent.
  pages.get(`${SETTINGS}/*`, backToSettings)
}

const backToSettings = plainPage(async (request) => request.c.redirect(settingsHref(request), 303))
