import { listSavedQuestions } from '../../accounts/applications/saved-questions.ts'
import { toIso } from '../../base/time/days.ts'
import { DEFAULT_PERIOD_DAYS } from '../../base/time/period.ts'
import { openDatabase } from '../../storage/database.ts'
import { type Asked, askAs } from '../asking.ts'
import { connectChat, disconnectChat, listApplicationsOf } from '../consents/consents.ts'
import { composeDigest } from '../digest.ts'
import { type DigestPeriod, digestPeriod } from '../digest-period.ts'
import { askSteps, hasSteps, toSavedAddress } from '../saved-series.ts'
import { listSubscriptions, type Subscription } from '../subscriptions.ts'
import { toNumber } from '../words.ts'

export interface BotMessage {
  /** The author; null in channels, which do not name one. */
  readonly telegramId: number | null
  readonly chatId: number
  /** Whether it is the chat of one person with the bot. */
  readonly isPrivate: boolean
  readonly text: string
}

/** The applications of a member that one answer is about. */
const MAX_APPLICATIONS = 10
const MAX_ANSWER_CHARACTERS = 4_000

/** The commands as the messenger lists them. */
export const BOT_COMMANDS = [
  { command: 'today', description: 'Today so far' },
  { command: 'week', description: 'The last whole week' },
  { command: 'funnel', description: 'A saved funnel, by its name' },
  { command: 'alerts', description: 'Your alerts' },
  {
    command: 'connect',
    description: 'Let an application write to a group: its handle, sent there by an administrator',
  },
  { command: 'stop', description: 'Stop all messages to this chat' },
]

const HELP = BOT_COMMANDS.map(({ command, description }) => `/${command}: ${description}`).join('\n')

type Application = Awaited<ReturnType<typeof listApplicationsOf>>[number]

interface Answering {
  readonly env: Env
  readonly now: number
  readonly fetch: typeof fetch
}

interface Command extends Answering {
  readonly applications: readonly Application[]
  readonly argument: string
}

const COMMANDS: Readonly<Record<string, (command: Command) => Promise<string>>> = {
  '/today': (command) => digestsOf('today', command),
  '/week': (command) => digestsOf('weekly', command),
  '/funnel': showFunnel,
  '/alerts': listAlerts,
}

/**
 * What the bot answers; null for nothing. Strangers, and members who never signed in, learn their own id, which an owner needs to add them,
 * and nothing else. Groups and channels are only connected and disconnected.
 */
export async function answerTo(message: BotMessage, answering: Answering): Promise<string | null> {
  const { telegramId, isPrivate, text } = message
  const [, name = '', argument = ''] = /^(\/[a-z]+)(?:@\w+)?(?:\s+(.*))?$/s.exec(text.trim()) ?? []
  if (name === '/stop') return stop(message, answering)
  if (telegramId === null || !(isPrivate || name === '/connect')) return null
  const db = openDatabase(answering.env.DB, 'lookUp')
  const applications = await listApplicationsOf(telegramId, { db, limit: MAX_APPLICATIONS })
  if (applications.length === 0) return isPrivate && name === '/start' ? `Your id is ${telegramId}.` : null
  if (name === '/connect') return connect({ ...message, telegramId }, argument.trim(), answering)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) return `Your id is ${telegramId}.\n${HELP}`
  const answer = await command({ ...answering, applications, argument: argument.trim() })
  return answer.slice(0, MAX_ANSWER_CHARACTERS).toWellFormed()
}

async function stop({ chatId, isPrivate }: BotMessage, { env }: Answering): Promise<string | null> {
  if (!(await disconnectChat(openDatabase(env.DB), chatId))) return null
  return isPrivate
    ? 'You will get no more messages from any account. To get them again, sign out on the pages, then open them here and sign in.'
    : 'This chat will get no more messages from any account. To get them again, an administrator must connect it again.'
}

const CHAT = /^(-\d{1,16}|@[A-Za-z]\w{3,31})$/

/** Channels do not say who posts, so they are connected from the chat of their administrator. */
async function connect(
  { telegramId, chatId, isPrivate }: BotMessage & { readonly telegramId: number },
  argument: string,
  { env, now, fetch }: Answering,
): Promise<string> {
  const [handle = '', named = ''] = argument.split(/\s+/)
  const chat = isPrivate ? named : String(chatId)
  if (handle === '' || !CHAT.test(chat)) return HOW_TO_CONNECT
  const { BOT_TOKEN: token = '' } = env
  const consenting = { db: openDatabase(env.DB), now, fetch, token }
  const id = await connectChat({ telegramId, chat, handle }, consenting)
  return id === null
    ? NOT_CONNECTED
    : `Connected. The id of this chat for notifications is ${id}. To stop them, send /stop there.`
}

const HOW_TO_CONNECT =
  'In a group, send /connect and the handle of an application, such as /connect @lemon_shop_bot. For a channel, send its id or @name with it in your own chat with this bot: /connect @lemon_shop_bot @lemon_news.'
const NOT_CONNECTED =
  'Not connected. You need to be an administrator of that chat, the bot has to be in it, and you need to have signed in to the account of the application.'

function askOfEach<T>({ applications, ...answering }: Command, ask: (asked: Asked) => Promise<T>): Promise<T[]> {
  return Promise.all(applications.map(async (application) => ask(await askAs(application, answering))))
}

async function digestsOf(kind: DigestPeriod['kind'], command: Command): Promise<string> {
  const contents = await askOfEach(command, (asked) => composeDigest(digestPeriod(kind, asked), [], asked))
  return contents.map(({ text }) => text).join('\n\n')
}

/** Shows a funnel of the days that the API takes without a period. */
async function showFunnel(command: Command): Promise<string> {
  const { argument, env, now } = command
  const db = openDatabase(env.DB, 'lookUp')
  const saved = await Promise.all(
    command.applications.map(async (application) =>
      (await listSavedQuestions(db, application.id)).map((report) => ({ ...report, application })),
    ),
  )
  const funnels = saved.flat().filter(({ address }) => hasSteps(toSavedAddress(address)))
  const found = funnels.find(({ name }) => name.toLowerCase() === argument.toLowerCase())
  if (!found)
    return [
      'Saved funnels:',
      ...funnels.map(({ name }) => `/funnel ${name}`),
      ...(funnels.length === 0 ? ['none yet'] : []),
    ].join('\n')
  const asked = await askAs(found.application, { env, now })
  const today = asked.calendar.dayOf(now)
  const period = { from: today - DEFAULT_PERIOD_DAYS + 1, to: today }
  const steps = await askSteps(toSavedAddress(found.address), { period, context: asked.context })
  const lines = steps.map(
    ({ step, event, users, conversion_from_start: percent }) =>
      `${step}. ${event}: ${toNumber(users)} ${users === 1 ? 'user' : 'users'}, ${toNumber(percent)}%`,
  )
  return [`${found.application.name}: ${found.name}, last ${DEFAULT_PERIOD_DAYS} days`, ...lines].join('\n')
}

async function listAlerts({ applications, env, now }: Command): Promise<string> {
  const db = openDatabase(env.DB, 'lookUp')
  const lists = await Promise.all(
    applications.map(async ({ id, name }) => {
      const alerts = (await listSubscriptions(db, id)).filter(({ rule }) => rule.type !== 'digest')
      return [
        name,
        ...(alerts.length === 0 ? ['No alerts.'] : alerts.map((alert) => `${alert.name}: ${stateOf(alert, now)}`)),
      ]
    }),
  )
  return lists.map((lines) => lines.join('\n')).join('\n\n')
}

function stateOf({ nextAt, snoozedUntil, problem, state }: Subscription, now: number): string {
  if (nextAt === null) return problem ?? 'off'
  if (snoozedUntil !== null && snoozedUntil > now)
    return `snoozed until ${toIso(snoozedUntil).slice(0, 16).replace('T', ' ')} UTC`
  return problem ?? (state.isActive ? 'active' : 'quiet')
}
