import { KEY_ID, keyId, SCOPES } from '../../access/api-keys.ts'
import { hashSecret } from '../../access/secrets.ts'
import type { AccountKey } from '../../accounts/account-keys.ts'
import { listOwnApplications } from '../../accounts/applications/applications.ts'
import { type MemberId, ROLES } from '../../accounts/members.ts'
import { revokeKey, selectAccounts, selectKeys } from '../../accounts/sql.ts'
import { toIso } from '../../base/time/days.ts'
import { changePlan, createAccount, issueKeyFor, PLANS, requireAccount } from '../accounts.ts'
import { deleteAccount, erasePerson, type Going } from '../away.ts'
import { databasesAt, openDatabaseAt } from '../database.ts'
import { readDeployment } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { listLayouts, OBJECTS, partition, rebuildColumns } from '../layouts.ts'
import { dropMember, membersOf, putMember, readTelegramId } from '../members.ts'
import { moveApplication, showPlacement } from '../moves.ts'
import { removeBrokenObjects } from '../object-files.ts'
import { parseOptions } from '../parse-options.ts'
import { readPort } from '../port.ts'
import { type CommandOutput, print } from '../printing.ts'
import { writeSecretFile } from '../private-files.ts'
import { makeSignInLink } from '../sign-in-links.ts'
import { HELP } from './help.ts'

const OPTIONS = {
  name: { type: 'string' },
  plan: { type: 'string' },
  account: { type: 'string' },
  scope: { type: 'string' },
  application: { type: 'string' },
  objects: { type: 'string' },
  database: { type: 'string' },
  address: { type: 'string' },
  'telegram-id': { type: 'string' },
  role: { type: 'string' },
  user: { type: 'string' },
  block: { type: 'boolean' },
  yes: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  'show-secrets': { type: 'boolean' },
  json: { type: 'boolean' },
  remote: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

const MAX_NAME_CHARACTERS = 100

type Values = ReturnType<typeof parseOptions<{ options: typeof OPTIONS }>>['values']

interface Command {
  /** The options it takes, besides --json and --remote. */
  readonly takes: readonly (keyof typeof OPTIONS)[]
  readonly argument?: string
  readonly run: (values: Values, argument: string) => Promise<CommandOutput>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  create: { takes: ['name', 'plan', 'show-secrets'], run: create },
  list: { takes: [], run: list },
  'set-plan': { takes: ['account', 'plan'], run: setPlan },
  keys: { takes: ['account'], run: showKeys },
  'issue-key': { takes: ['account', 'scope', 'application', 'name', 'show-secrets'], run: issue },
  'revoke-key': { takes: [], argument: 'KEY', run: revoke },
  'sign-in': { takes: ['account', 'address', 'show-secrets'], run: signIn },
  members: { takes: ['account'], run: members },
  'add-member': { takes: ['account', 'telegram-id', 'name', 'role'], run: addMember },
  'remove-member': { takes: ['account', 'telegram-id'], run: removeMember },
  columns: { takes: ['application'], run: columns },
  partition: { takes: ['application', 'objects'], run: spread },
  rebuild: { takes: ['application'], run: readAnew },
  move: { takes: ['application', 'database', 'dry-run'], run: moveTo },
  erase: { takes: ['application', 'user', 'block', 'yes', 'dry-run'], run: erase },
  delete: { takes: ['account', 'yes', 'dry-run'], run: remove },
}

/** Throws `CommandFailure`. */
export async function account(args: string[]): Promise<void> {
  const { values, positionals } = parseOptions({ args, options: OPTIONS, allowPositionals: true }, HELP)
  const [name, argument, ...rest] = positionals
  if (values.help || name === undefined) {
    console.log(HELP)
    return
  }
  const command = findCommand(name)
  requireFitting(name, command, { values, argument, rest })
  print(await command.run(values, argument ?? ''), values.json === true)
}

function findCommand(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command) return command
  throw new CommandFailure(`There is no command "${name}".\n\n${HELP}`)
}

interface Given {
  readonly values: Values
  readonly argument: string | undefined
  readonly rest: readonly string[]
}

function requireFitting(name: string, command: Command, { values, argument, rest }: Given): void {
  const everywhere = ['json', 'remote', 'help']
  const foreign = Object.keys(values).find(
    (option) => !everywhere.includes(option) && !command.takes.includes(option as never),
  )
  if (foreign) throw new CommandFailure(`"${name}" does not take --${foreign}.\n\n${HELP}`)
  if (command.argument && argument === undefined)
    throw new CommandFailure(`"${name}" needs ${command.argument}.\n\n${HELP}`)
  const extra = command.argument ? rest[0] : argument
  if (extra !== undefined) throw new CommandFailure(`"${name}" does not take "${extra}".\n\n${HELP}`)
}

async function create(values: Values): Promise<CommandOutput> {
  const name = requireText(nameIn(values), '--name')
  const plan = oneOf(values.plan ?? readDeployment().defaultPlan, PLANS, '--plan')
  const { accountId, apiKey } = await createAccount(openDatabase(values), name, plan)
  return { accountId, ...tellKey(apiKey, values), plan }
}

/** The name that is given, without blanks around it. */
function nameIn({ name = '' }: Values): string {
  const trimmed = name.trim()
  if ([...trimmed].length <= MAX_NAME_CHARACTERS) return trimmed
  throw new CommandFailure(`--name takes at most ${MAX_NAME_CHARACTERS} characters.`)
}

async function list(values: Values): Promise<CommandOutput> {
  const accounts = await selectAccounts(openDatabase(values))
  return accounts.map(({ id, name, plan, createdAt }) => ({ id, plan, created: toIso(createdAt), name }))
}

async function setPlan(values: Values): Promise<CommandOutput> {
  const accountId = requireText(values.account, '--account')
  const plan = oneOf(requireText(values.plan, '--plan'), PLANS, '--plan')
  await changePlan(openDatabase(values), accountId, plan)
  return { accountId, plan, note: 'It applies everywhere within 90 seconds.' }
}

async function showKeys(values: Values): Promise<CommandOutput> {
  const accountId = requireText(values.account, '--account')
  const db = openDatabase(values)
  await requireAccount(db, accountId)
  const applications = await listOwnApplications(db, { accountId, applicationId: null })
  return {
    keys: (await selectKeys(db, accountId)).map(toKeyLine),
    applications: applications.map(({ projectId, handle, name }) => ({ projectId, application: handle, name })),
  }
}

function toKeyLine({ id, lastFour, scope, handle, name, ...times }: AccountKey) {
  const [used, revoked] = [times.lastUsedAt, times.revokedAt].map((time) => (time === null ? null : toIso(time)))
  const created = toIso(times.createdAt)
  return { id, key: `…${lastFour}`, scope, created, used, revoked, application: handle, name }
}

async function issue(values: Values): Promise<CommandOutput> {
  const accountId = requireText(values.account, '--account')
  const scope = oneOf(values.scope ?? 'full', SCOPES, '--scope')
  const order = { accountId, scope, name: nameIn(values), application: values.application }
  const apiKey = await issueKeyFor(openDatabase(values), order)
  return { accountId, ...tellKey(apiKey, values), scope }
}

/** Output outside a terminal often ends up in a log that many people read. */
function mayTell(values: Values): boolean {
  return process.stdout.isTTY || values['show-secrets'] === true
}

function tellKey(apiKey: string, values: Values): { apiKey: string } | { apiKeyFile: string } {
  if (mayTell(values)) return { apiKey }
  return { apiKeyFile: writeSecretFile('api-key', apiKey) }
}

async function revoke(values: Values, argument: string): Promise<CommandOutput> {
  const id = KEY_ID.test(argument) ? argument : keyId(hashSecret(argument))
  const [revoked] = await revokeKey(openDatabase(values), { id, now: Date.now() })
  if (!revoked) throw new CommandFailure('There is no such key, or it was revoked already.')
  return { revoked: `…${revoked.lastFour}`, note: 'It stops working everywhere within 90 seconds.' }
}

async function signIn(values: Values): Promise<CommandOutput> {
  const accountId = requireText(values.account, '--account')
  const address = values.remote ? requireText(values.address, '--address') : (values.address ?? localAddress())
  const link = await makeSignInLink(openDatabase(values), { accountId, address })
  return { accountId, ...tellLink(link, values), note: 'It works once, within ten minutes.' }
}

function localAddress(): string {
  return `http://localhost:${readPort(process.env.PORT || undefined)}`
}

function tellLink(signInLink: string, values: Values): { signInLink: string } | { signInLinkFile: string } {
  if (mayTell(values)) return { signInLink }
  return { signInLinkFile: writeSecretFile('sign-in-link', signInLink) }
}

async function members(values: Values): Promise<CommandOutput> {
  return membersOf(openDatabase(values), requireText(values.account, '--account'))
}

async function addMember(values: Values): Promise<CommandOutput> {
  const name = requireText(values.name?.trim(), '--name')
  const role = oneOf(values.role ?? 'viewer', ROLES, '--role')
  const member = { ...readMember(values), name, role }
  await putMember(openDatabase(values), member)
  return member
}

async function removeMember(values: Values): Promise<CommandOutput> {
  const member = readMember(values)
  await dropMember(openDatabase(values), member)
  return { ...member, note: 'They are signed out.' }
}

function readMember(values: Values): MemberId {
  const accountId = requireText(values.account, '--account')
  return { accountId, telegramId: readTelegramId(requireText(values['telegram-id'], '--telegram-id')) }
}

async function columns(values: Values): Promise<CommandOutput> {
  return listLayouts(openDatabases(values), requireText(values.application, '--application'))
}

async function spread(values: Values): Promise<CommandOutput> {
  const application = requireText(values.application, '--application')
  const objects = oneOf(requireText(values.objects, '--objects'), OBJECTS, '--objects')
  return partition(openDatabases(values), application, Number(objects))
}

async function readAnew(values: Values): Promise<CommandOutput> {
  if (!values.remote) removeBrokenObjects()
  return rebuildColumns(openDatabases(values), requireText(values.application, '--application'))
}

async function moveTo(values: Values): Promise<CommandOutput> {
  const name = requireText(values.application, '--application')
  const { database: databases, 'dry-run': isDry = false } = values
  if (databases === undefined) return showPlacement(openDatabases(values), name)
  return moveApplication(openDatabases(values), { name, databases, isDry })
}

async function erase(values: Values): Promise<CommandOutput> {
  const application = requireText(values.application, '--application')
  const telegramId = readTelegramId(requireText(values.user, '--user'), '--user')
  const asked = { application, telegramId, block: values.block === true, ...goingOf(values) }
  return erasePerson(openDatabase(values), asked)
}

async function remove(values: Values): Promise<CommandOutput> {
  const accountId = requireText(values.account, '--account')
  return deleteAccount(openDatabase(values), accountId, goingOf(values))
}

function goingOf(values: Values): Going {
  return { yes: values.yes === true, dryRun: values['dry-run'] === true }
}

function openDatabase(values: Values) {
  return openDatabaseAt(values.remote ? 'remote' : 'local')
}

function openDatabases(values: Values) {
  return databasesAt(values.remote ? 'remote' : 'local')
}

function requireText(value: string | undefined, option: string): string {
  if (value) return value
  throw new CommandFailure(`${option} is missing or empty.\n\n${HELP}`)
}

function oneOf<T extends string>(value: string, allowed: readonly T[], option: string): T {
  const found = allowed.find((candidate) => candidate === value)
  if (found) return found
  throw new CommandFailure(`${option} is "${value}", but must be one of: ${allowed.join(', ')}.`)
}
