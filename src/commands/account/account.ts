import { EFFECT_SECONDS, KEY_ID, keyId, SCOPES } from '../../access/api-keys.ts'
import { type Act, BY_COMMAND, noteAct } from '../../access/audit.ts'
import { hashSecret } from '../../access/secrets.ts'
import { listOwnApplications } from '../../accounts/applications/applications.ts'
import { addMember, listMembers, type MemberId, ROLES, removeMember } from '../../accounts/members.ts'
import { PLANS } from '../../accounts/new-account.ts'
import { revokeKey, selectAccounts, selectKeys, updatePlan } from '../../accounts/sql.ts'
import { toIso } from '../../base/time/days.ts'
import { createAccount, issueKeyFor, makeSignInLink, requireAccount } from '../accounts.ts'
import { connectBot, readBotToken } from '../bot.ts'
import {
  FLAG,
  type OptionValues,
  publicAddress,
  readAddress,
  runSubcommand,
  type Subcommand,
  type Subject,
  TEXT,
} from '../command-line.ts'
import { readDeployment } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { removeBrokenObjects } from '../object-files.ts'
import { writeSecretFile } from '../private-files.ts'
import type { CommandOutput } from '../terminal.ts'
import { deleteAccount, erasePerson } from './deletions.ts'
import { HELP } from './help.ts'
import { moveApplication, showPlacement } from './moves.ts'
import { listPartitionings, OBJECTS, partition, rebuildColumns } from './partitionings.ts'

const OPTIONS = {
  name: TEXT,
  plan: TEXT,
  account: TEXT,
  scope: TEXT,
  application: TEXT,
  objects: TEXT,
  database: TEXT,
  address: TEXT,
  'telegram-id': TEXT,
  role: TEXT,
  user: TEXT,
  block: FLAG,
  persons: FLAG,
  all: FLAG,
  yes: FLAG,
  'dry-run': FLAG,
  'show-secrets': FLAG,
  remote: FLAG,
}

type AccountValues = OptionValues<typeof OPTIONS>

const COMMANDS: Readonly<Record<string, Subcommand<typeof OPTIONS>>> = {
  create: { takes: ['name', 'plan', 'show-secrets'], run: create },
  list: { takes: [], run: list },
  'set-plan': { takes: ['account', 'plan'], run: setPlan },
  keys: { takes: ['account', 'all'], run: showKeys },
  'issue-key': { takes: ['account', 'scope', 'application', 'name', 'persons', 'show-secrets'], run: issue },
  'revoke-key': { takes: [], most: 1, run: revoke },
  'sign-in': { takes: ['account', 'address', 'show-secrets'], run: signIn },
  members: { takes: ['account'], run: showMembers },
  'add-member': { takes: ['account', 'telegram-id', 'name', 'role'], run: putMember },
  'remove-member': { takes: ['account', 'telegram-id'], run: dropMember },
  'connect-bot': { takes: ['address'], run: connect },
  columns: { takes: ['application'], run: (values, { open }) => listPartitionings(open, applicationIn(values)) },
  partition: { takes: ['application', 'objects'], run: changePartitions },
  rebuild: { takes: ['application'], run: rebuild },
  move: { takes: ['application', 'database', 'dry-run'], run: move },
  erase: { takes: ['application', 'user', 'block', 'yes', 'dry-run'], run: erase },
  delete: {
    takes: ['account', 'yes', 'dry-run'],
    run: (values, { open }) => deleteAccount(open(1), accountIn(values), confirmationIn(values)),
  },
}

export function account(args: string[]): Promise<void> {
  return runSubcommand(args, { options: OPTIONS, help: HELP, commands: COMMANDS })
}

async function create(values: AccountValues, { open }: Subject): Promise<CommandOutput> {
  const name = requireText(nameIn(values), '--name')
  const plan = oneOf(values.plan ?? readDeployment().defaultPlan, PLANS, '--plan')
  const { accountId, apiKey } = await createAccount(open(1), name, plan)
  return { accountId, ...showSecret('apiKey', apiKey, values), plan }
}

const MAX_NAME_CHARACTERS = 100

function nameIn({ name = '' }: AccountValues): string {
  const trimmed = name.trim()
  if ([...trimmed].length <= MAX_NAME_CHARACTERS) return trimmed
  throw new CommandFailure(`--name takes at most ${MAX_NAME_CHARACTERS} characters.`)
}

async function list(_: AccountValues, { open }: Subject): Promise<CommandOutput> {
  const accounts = await selectAccounts(open(1))
  return accounts.map(({ id, name, plan, createdAt }) => ({ id, plan, created: toIso(createdAt), name }))
}

/** Caches of the platform may contain the old plan for another `COPY_SECONDS`. */
async function setPlan(values: AccountValues, { open }: Subject): Promise<CommandOutput> {
  const accountId = accountIn(values)
  const plan = oneOf(requireText(values.plan, '--plan'), PLANS, '--plan')
  await requireAccount(open(1), accountId)
  await updatePlan(open(1), accountId, plan)
  return { accountId, plan, note: `It applies everywhere within ${EFFECT_SECONDS} seconds.` }
}

async function showKeys(values: AccountValues, { open }: Subject): Promise<CommandOutput> {
  const accountId = accountIn(values)
  await requireAccount(open(1), accountId)
  const applications = await listOwnApplications(open(1), { accountId, applicationId: null })
  const stored = await selectKeys(open(1), accountId)
  const keys = values.all ? stored : stored.filter(({ revokedAt }) => revokedAt === null)
  return {
    keys: keys.map(({ id, lastFour, scope, persons, handle, name, createdAt, lastUsedAt, revokedAt }) => ({
      id,
      key: `…${lastFour}`,
      scope,
      persons,
      created: toIso(createdAt),
      used: lastUsedAt === null ? null : toIso(lastUsedAt),
      revoked: revokedAt === null ? null : toIso(revokedAt),
      application: handle,
      name,
    })),
    applications: applications.map(({ projectId, handle, name }) => ({ projectId, application: handle, name })),
  }
}

async function issue(values: AccountValues, { open }: Subject): Promise<CommandOutput> {
  const accountId = accountIn(values)
  const scope = oneOf(values.scope ?? 'full', SCOPES, '--scope')
  if (scope === 'client' && values.persons) throw new CommandFailure('Keys of scope client do not take --persons.')
  const order = { accountId, scope, persons: values.persons, name: nameIn(values), application: values.application }
  const apiKey = await issueKeyFor(open(1), order)
  await note(open, { accountId, action: 'issueKey', target: order.name })
  return { accountId, ...showSecret('apiKey', apiKey, values), scope }
}

const SECRET_FILES = { apiKey: 'api-key', signInLink: 'sign-in-link' }

/** Output that does not go to a terminal often ends up in a log that many people read. */
function showSecret(name: keyof typeof SECRET_FILES, secret: string, values: AccountValues) {
  if (process.stdout.isTTY || values['show-secrets']) return { [name]: secret }
  return { [`${name}File`]: writeSecretFile(SECRET_FILES[name], secret) }
}

async function revoke(_: AccountValues, { open, positionals: [key] }: Subject): Promise<CommandOutput> {
  if (key === undefined) throw new CommandFailure(`"revoke-key" needs KEY. Show all options with --help.`)
  const id = KEY_ID.test(key) ? key : keyId(hashSecret(key))
  const [revoked] = await revokeKey(open(1), { id, now: Date.now() })
  if (!revoked) throw new CommandFailure('There is no such key, or it was revoked already.')
  await note(open, { accountId: revoked.accountId, action: 'revokeKey', target: id })
  return { revoked: `…${revoked.lastFour}`, note: `It stops working everywhere within ${EFFECT_SECONDS} seconds.` }
}

function note(open: Subject['open'], act: Omit<Act, 'actor'>): Promise<void> {
  return noteAct(open(1), { ...act, actor: BY_COMMAND }, Date.now())
}

async function signIn(values: AccountValues, { open }: Subject): Promise<CommandOutput> {
  const accountId = accountIn(values)
  const address = values.remote ? requireText(values.address, '--address') : (values.address ?? publicAddress())
  const link = await makeSignInLink(open(1), accountId, readAddress(address, '--address'))
  await note(open, { accountId, action: 'createSignInLink' })
  return { accountId, ...showSecret('signInLink', link, values), note: 'It works once, within ten minutes.' }
}

async function showMembers(values: AccountValues, { open }: Subject): Promise<CommandOutput> {
  const accountId = accountIn(values)
  await requireAccount(open(1), accountId)
  const members = await listMembers(open(1), accountId)
  return members.map(({ telegramId, role, createdAt, name }) => ({ telegramId, role, added: toIso(createdAt), name }))
}

async function putMember(values: AccountValues, { open }: Subject): Promise<CommandOutput> {
  const name = requireText(nameIn(values), '--name')
  const role = oneOf(values.role ?? 'viewer', ROLES, '--role')
  const member = { ...memberIn(values), name, role }
  await requireAccount(open(1), member.accountId)
  await addMember(open(1), member, Date.now())
  await note(open, { accountId: member.accountId, action: 'addMember', target: String(member.telegramId) })
  return member
}

async function dropMember(values: AccountValues, { open }: Subject): Promise<CommandOutput> {
  const { accountId, telegramId } = memberIn(values)
  if (await removeMember(open(1), { accountId, telegramId })) {
    await note(open, { accountId, action: 'removeMember', target: String(telegramId) })
    return { accountId, telegramId, note: 'They are signed out.' }
  }
  throw new CommandFailure(
    `${telegramId} is not a member of that account. List them: npm run account -- members --account ${accountId}`,
  )
}

function memberIn(values: AccountValues): MemberId {
  return { accountId: accountIn(values), telegramId: telegramIdIn(values, 'telegram-id') }
}

function telegramIdIn(values: AccountValues, option: 'telegram-id' | 'user'): number {
  const text = requireText(values[option], `--${option}`)
  const id = /^\d+$/.test(text) ? Number(text) : 0
  if (Number.isSafeInteger(id) && id > 0) return id
  throw new CommandFailure(`--${option} is "${text}", but must be a person's id in the messenger, such as 7234567890.`)
}

async function connect({ address }: AccountValues): Promise<CommandOutput> {
  const token = readBotToken()
  if (!token) throw new CommandFailure('There is no BOT_TOKEN, neither in the environment nor in .dev.vars.')
  const bot = await connectBot(token, readAddress(requireText(address, '--address'), '--address'))
  return { bot, note: 'What people write to it now reaches this service.' }
}

async function changePartitions(values: AccountValues, { open }: Subject): Promise<CommandOutput> {
  const application = applicationIn(values)
  const objects = oneOf(requireText(values.objects, '--objects'), OBJECTS, '--objects')
  return partition(open, application, Number(objects))
}

async function rebuild(values: AccountValues, { open }: Subject): Promise<CommandOutput> {
  if (!values.remote) removeBrokenObjects()
  return rebuildColumns(open, applicationIn(values))
}

async function move(values: AccountValues, { open }: Subject): Promise<CommandOutput> {
  const { database: databases, 'dry-run': isDry = false } = values
  const name = applicationIn(values)
  return databases === undefined ? showPlacement(open, name) : moveApplication(open, { name, databases, isDry })
}

async function erase(values: AccountValues, { open }: Subject): Promise<CommandOutput> {
  const person = {
    application: applicationIn(values),
    telegramId: telegramIdIn(values, 'user'),
    block: values.block === true,
  }
  return erasePerson(open, person, confirmationIn(values))
}

function confirmationIn(values: AccountValues) {
  return { yes: values.yes === true, dryRun: values['dry-run'] === true }
}

function accountIn({ account }: AccountValues): string {
  return requireText(account, '--account')
}

function applicationIn({ application }: AccountValues): string {
  return requireText(application, '--application')
}

function requireText(value: string | undefined, option: string): string {
  if (value) return value
  throw new CommandFailure(`${option} is missing or empty. Show all options with --help.`)
}

function oneOf<T extends string>(value: string, allowed: readonly T[], option: string): T {
  const found = allowed.find((candidate) => candidate === value)
  if (found) return found
  throw new CommandFailure(`${option} is "${value}", but must be one of: ${allowed.join(', ')}.`)
}
