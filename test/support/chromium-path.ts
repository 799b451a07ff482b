import { existsSync } from 'node:fs'

const { CHROMIUM } = process.env
/** Where Debian and its relatives put it. */
const USUAL = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Undefined if there is none. */
export const CHROMIUM_PATH = (CHROMIUM ? [CHROMIUM] : USUAL).find(existsSync)
