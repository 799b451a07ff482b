import { sql } from 'drizzle-orm'
import {
  blob,
  getTableConfig,
  index,
  integer,
  primaryKey,
  real,
  type SQLiteColumn,
  type SQLiteTable,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import type { SourceRule } from '../base/sources.ts'
import type { CaptureSettings } from './capture-settings.ts'
import type { RevenueRule } from './revenue-rule.ts'
import type { AlertState, MessageContent, MessageTarget, SubscriptionRule } from './subscription.ts'

// Times are milliseconds since 1970 UTC, days are whole days since 1970 UTC. README.md beside this file explains each table.

// --- Control data: who may ask, and for which application.

export const accounts = sqliteTable('accounts', {
  id: text().primaryKey(),
  name: text().notNull(),
  plan: text({ enum: ['standard', 'enterprise'] }).notNull(),
  createdAt: integer('created_at').notNull(),
})

function ofAccount() {
  return text('account_id')
    .notNull()
    .references(() => accounts.id)
}

export const applications = sqliteTable(
  'applications',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    projectId: text('project_id').notNull().unique(),
    accountId: ofAccount(),
    handle: text().notNull(),
    name: text().notNull(),
    link: text().notNull(),
    description: text().notNull(),
    photoUrl: text('photo_url').notNull(),
    /** PKCS#1 PEM. Empty, like the private key, until the first tracking client asks for it: making the pair takes long. */
    publicKey: text('public_key').notNull(),
    sealedPrivateKey: text('sealed_private_key').notNull(),
    /** A random secret that keys the hashes of erased users; null: the private key does, as in applications of earlier releases. */
    sealedErasureKey: text('sealed_erasure_key'),
    capture: text({ mode: 'json' }).$type<CaptureSettings>().notNull(),
    createdAt: integer('created_at').notNull(),
    /** The partitioning that answers questions: over how many objects the application's users are spread. */
    objects: integer().notNull().default(1),
    /** The IANA name of the zone whose days the partitioning that answers questions counts by. */
    timeZone: text('time_zone').notNull().default('UTC'),
    /** What start parameters mean: the first rule that matches decides. */
    sources: text({ mode: 'json' }).$type<readonly SourceRule[]>().notNull().default(sql`'[]'`),
    /** The bot that the messenger signs init data for; null: init data is not checked. */
    botId: integer('bot_id'),
    /** How old init data may be where it is checked. */
    initDataHours: integer('init_data_hours').notNull().default(24),
    /** Whether client keys may only bring events with init data that was checked. */
    verifiedOnly: integer('verified_only', { mode: 'boolean' }).notNull().default(false),
    /** Numbers of the activity databases that its users are spread over: a user is in the one at `telegram_id % length`. */
    databases: text({ mode: 'json' }).$type<readonly number[]>().notNull().default(sql`'[1]'`),
    /** For how many months events are kept; null: for ever. */
    keepMonths: integer('keep_months'),
    /** Events of earlier days are gone, or going; null: none are. It never falls. */
    keptFrom: integer('kept_from'),
    /** What counts as revenue, as `PUT /applications/{handle}/revenue-rules` takes it; null: the defaults. */
    revenueRules: text('revenue_rules', { mode: 'json' }).$type<readonly RevenueRule[]>(),
  },
  (table) => [
    uniqueIndex('applications_by_handle').on(sql`lower(${table.handle})`),
    index('applications_by_account').on(table.accountId),
  ],
)

function ofApplication() {
  return integer('application_id')
    .notNull()
    .references(() => applications.id)
}

/** What keys the hashes of an application's erased users, sealed. It never changes, because hashes are kept for good. */
export const sealedErasureKey = sql<string>`coalesce(${applications.sealedErasureKey}, ${applications.sealedPrivateKey})`

export const apiKeys = sqliteTable(
  'api_keys',
  {
    hash: text().primaryKey(),
    accountId: ofAccount(),
    applicationId: integer('application_id').references(() => applications.id),
    scope: text({ enum: ['full', 'read', 'client'] }).notNull(),
    name: text().notNull().default(''),
    lastFour: text('last_four').notNull(),
    createdAt: integer('created_at').notNull(),
    /** The hour in which the key last opened something; null if it was never used, or not since hours are noted. */
    lastUsedAt: integer('last_used_at'),
    revokedAt: integer('revoked_at'),
    /** Whether assistants that have it may see individual users. */
    persons: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [index('api_keys_by_account').on(table.accountId)],
)

/** People who may see an account's pages, by their ids in the messenger. */
export const members = sqliteTable(
  'members',
  {
    accountId: ofAccount(),
    telegramId: integer('telegram_id').notNull(),
    role: text({ enum: ['owner', 'viewer'] }).notNull(),
    name: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.telegramId] }),
    index('members_by_telegram_id').on(table.telegramId),
  ],
)

/** Chats that agreed to messages of an account: a member's own by signing in, groups and channels by `/connect` of an administrator. */
export const consents = sqliteTable(
  'consents',
  {
    /** The chat's id in the messenger; a person's own chat has the id of the person. */
    chatId: integer('chat_id').notNull(),
    accountId: ofAccount(),
    /** The member who agreed; null: a chat with subscriptions of earlier releases, whose administrators are still to be asked for. */
    telegramId: integer('telegram_id'),
    at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.chatId, table.accountId] })],
)

/** Whether the member who gave a consent still is one. Being added again does not bring it back. */
export const isOfMember = sql`(${members.accountId} = ${consents.accountId}
  and ${members.telegramId} = ${consents.telegramId} and ${members.createdAt} <= ${consents.at})`

/** Links that sign in once; the row goes when its link is used. */
export const signInLinks = sqliteTable('sign_in_links', {
  hash: text().primaryKey(),
  accountId: ofAccount(),
  expiresAt: integer('expires_at').notNull(),
})

/** Sessions of the pages. The rights of a session are read for each page, from its member or its key if it has one. */
export const dashboardSessions = sqliteTable(
  'dashboard_sessions',
  {
    hash: text().primaryKey(),
    accountId: ofAccount(),
    /** The member who signed in inside the messenger. */
    telegramId: integer('telegram_id'),
    /** The hash of the key that was pasted. */
    keyHash: text('key_hash'),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('dashboard_sessions_by_expiry').on(table.expiresAt)],
)

/** Names for addresses of the pages. */
export const savedQuestions = sqliteTable(
  'saved_questions',
  {
    applicationId: ofApplication(),
    name: text().notNull(),
    /** A page of the application with its parameters, such as `funnels?events=A&events=B`. */
    address: text().notNull(),
    createdAt: integer('created_at').notNull(),
    /** The order of those that are pinned to the application's first page; null if it is not pinned. */
    pinned: integer(),
  },
  (table) => [primaryKey({ columns: [table.applicationId, table.name] })],
)

/** Saved questions that are shown together. */
export const boards = sqliteTable(
  'boards',
  {
    applicationId: ofApplication(),
    /** A UUID. */
    id: text().notNull(),
    name: text().notNull(),
    /** The period and the filters of all its reports, as an address has them: `period=7d`. */
    query: text().notNull(),
    /** Names of saved questions, in their order. */
    reports: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.applicationId, table.id] })],
)

/** Links that show a board or a saved question to whoever has them. Either `board_id` or `report` is set. */
export const shares = sqliteTable(
  'shares',
  {
    /** The hash of the link's token. The token is stored nowhere. */
    hash: text().primaryKey(),
    applicationId: ofApplication(),
    boardId: text('board_id'),
    /** The name of a saved question. */
    report: text(),
    /** The origins whose pages may show it in a frame. */
    hosts: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    /** A salt and the PBKDF2 hash of the password; null without one. */
    password: text(),
    /** Null: it ends when it is revoked. */
    expiresAt: integer('expires_at'),
    createdAt: integer('created_at').notNull(),
    /** How many passwords were tried since then. */
    attempts: integer().notNull().default(0),
    attemptsSince: integer('attempts_since').notNull().default(0),
  },
  (table) => [index('shares_by_application').on(table.applicationId)],
)

/** What was done in an account: sign-ins, and changes of what it has. */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: ofAccount(),
    /** Milliseconds since 1970 UTC. */
    at: integer().notNull(),
    actor: text({ enum: ['key', 'member', 'link', 'command'] }).notNull(),
    /** The id of the key or the member. */
    actorId: text('actor_id'),
    action: text().notNull(),
    applicationId: integer('application_id'),
    /** The handle that a request named. Other entries take it from the application's row, as long as there is one. */
    handle: text(),
    target: text(),
    /** Equal for all acts of an hour that share an entry; null for an act with an entry of its own. */
    once: text(),
  },
  (table) => [
    index('audit_entries_by_account').on(table.accountId, table.id),
    uniqueIndex('audit_entries_once').on(table.once).where(sql`${table.once} is not null`),
  ],
)

/** What happened outside of an application, as its people noted it. */
export const annotations = sqliteTable(
  'annotations',
  {
    applicationId: ofApplication(),
    /** A UUID. */
    id: text().notNull(),
    /** Null if a moment is noted. */
    day: integer(),
    /** Null if a day is noted. */
    time: integer(),
    text: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.applicationId, table.id] })],
)

/** Rules for which users belong together. */
export const cohorts = sqliteTable(
  'cohorts',
  {
    applicationId: ofApplication(),
    name: text().notNull(),
    /** JSON. */
    definition: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.applicationId, table.name] })],
)

/** Digests and alerts, and where their messages go. */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    /** A UUID. */
    id: text().primaryKey(),
    applicationId: ofApplication(),
    name: text().notNull(),
    rule: text({ mode: 'json' }).$type<SubscriptionRule>().notNull(),
    target: text({ mode: 'json' }).$type<MessageTarget>().notNull(),
    /** The member whose chat it goes to; null for other targets. */
    telegramId: integer('telegram_id'),
    /** Signs what a webhook gets; sealed like private keys. */
    sealedSecret: text('sealed_secret'),
    /** The address of the service, for links in messages. */
    origin: text().notNull(),
    /** When it is due next; null while it is off. */
    nextAt: integer('next_at'),
    snoozedUntil: integer('snoozed_until'),
    /** Why it was switched off, or could not be checked. */
    problem: text(),
    state: text({ mode: 'json' }).$type<AlertState>().notNull(),
    /** Grows with every message; the next one's identity. */
    revision: integer().notNull().default(0),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('subscriptions_by_application').on(table.applicationId),
    index('subscriptions_by_next').on(table.nextAt),
  ],
)

/** Messages of subscriptions: to be sent, and for a month those that were. */
export const deliveries = sqliteTable(
  'deliveries',
  {
    /** The subscription's id and its revision, so that there is one message for each. */
    id: text().primaryKey(),
    subscriptionId: text('subscription_id').notNull(),
    kind: text({ enum: ['digest', 'started', 'ended', 'noticed'] }).notNull(),
    /** The moment whose figures it has. */
    at: integer().notNull(),
    /** Null until a digest is composed. */
    content: text({ mode: 'json' }).$type<MessageContent>(),
    status: text({ enum: ['waiting', 'sending', 'sent', 'shown', 'failed'] }).notNull(),
    attempts: integer().notNull().default(0),
    /** When it is tried next; null once it is done. */
    tryAt: integer('try_at'),
    httpStatus: integer('http_status'),
    /** The beginning of what the receiver answered, or why it was not sent. */
    answer: text(),
    doneAt: integer('done_at'),
  },
  (table) => [index('deliveries_by_subscription').on(table.subscriptionId), index('deliveries_by_try').on(table.tryAt)],
)

/** Figures of one part of an application's users on one UTC day; a day without a row is all zeros before anything happened. */
export const dailyFigures = sqliteTable(
  'daily_figures',
  {
    applicationId: integer('application_id').notNull(),
    day: integer().notNull(),
    objects: integer().notNull(),
    part: integer().notNull(),
    activeUsers: integer('active_users').notNull(),
    monthlyActiveUsers: integer('monthly_active_users').notNull(),
    newUsers: integer('new_users').notNull(),
    premiumUsers: integer('premium_users').notNull(),
    nonPremiumUsers: integer('non_premium_users').notNull(),
    events: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.applicationId, table.day, table.objects, table.part] })],
)

/**
 * Work on an application's activity that takes many statements: its object does it a portion at a time, and continues where it
 * stopped. The row goes with the last portion.
 */
export const jobs = sqliteTable(
  'jobs',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** No reference: the application may be gone. */
    applicationId: integer('application_id').notNull(),
    kind: text({ enum: ['erase', 'delete', 'move', 'retain'] }).notNull(),
    /** What is to be done, and how far it is. */
    progress: text({ mode: 'json' }).$type<unknown>().notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [index('jobs_by_application').on(table.applicationId)],
)

/** Users erased from an application, so that events of them that are still on their way are not stored. */
export const erasures = sqliteTable(
  'erasures',
  {
    applicationId: integer('application_id').notNull(),
    /** The first 16 bytes of the SHA-256 of application and messenger id: the id itself is kept nowhere. */
    userHash: blob('user_hash').notNull(),
    erasedAt: integer('erased_at').notNull(),
    /** Whether what is sent later is not stored either. */
    isBlocked: integer('is_blocked', { mode: 'boolean' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.applicationId, table.userHash] })],
)

/** The hash in the row that marks an application's deletion, which outlives all of its other rows. */
export const EVERYBODY = sql`x''`

/** Messages of the queue that could not be stored, put aside for a person to look at. */
export const deadLetters = sqliteTable('dead_letters', {
  id: integer().primaryKey({ autoIncrement: true }),
  body: text().notNull(),
  putAsideAt: integer('put_aside_at').notNull(),
  /** When a person asked to have it sent again; null until then. */
  resendAt: integer('resend_at'),
})

// --- Activity: what happened. Every row carries its application; no statement about one application joins it with control data.

export const eventNames = sqliteTable(
  'event_names',
  {
    id: integer().primaryKey(),
    applicationId: integer('application_id').notNull(),
    name: text().notNull(),
  },
  (table) => [uniqueIndex('event_names_by_name').on(table.applicationId, table.name)],
)

export const contexts = sqliteTable(
  'contexts',
  {
    id: integer().primaryKey(),
    applicationId: integer('application_id').notNull(),
    fingerprint: text().notNull(),
    language: text(),
    isPremium: integer('is_premium', { mode: 'boolean' }),
    referrerType: text('referrer_type'),
    os: text(),
    device: text(),
    brand: text(),
    model: text(),
    country: text(),
    city: text(),
    writeAccess: integer('write_access', { mode: 'boolean' }),
    startParameter: text('start_parameter'),
    verified: integer({ mode: 'boolean' }),
  },
  (table) => [uniqueIndex('contexts_by_fingerprint').on(table.applicationId, table.fingerprint)],
)

export const users = sqliteTable(
  'users',
  {
    applicationId: integer('application_id').notNull(),
    telegramId: integer('telegram_id').notNull(),
    firstActiveAt: integer('first_active_at').notNull(),
    lastActiveAt: integer('last_active_at').notNull(),
    totalEvents: integer('total_events').notNull(),
    totalSessions: integer('total_sessions').notNull(),
    language: text(),
    isPremium: integer('is_premium', { mode: 'boolean' }),
    country: text(),
    city: text(),
    provider: text(),
    currBalance: real('curr_balance').notNull(),
    currVolume: real('curr_volume').notNull(),
    utm: text(),
    username: text(),
    firstname: text(),
    lastname: text(),
    device: text(),
    brand: text(),
    model: text(),
    // The moment at which the property of that name was said, so that the latest word wins in whatever order events arrive.
    languageStamp: integer('language_stamp').notNull(),
    isPremiumStamp: integer('is_premium_stamp').notNull(),
    countryStamp: integer('country_stamp').notNull(),
    cityStamp: integer('city_stamp').notNull(),
    providerStamp: integer('provider_stamp').notNull(),
    currBalanceStamp: integer('curr_balance_stamp').notNull(),
    utmStamp: integer('utm_stamp').notNull(),
    usernameStamp: integer('username_stamp').notNull(),
    firstnameStamp: integer('firstname_stamp').notNull(),
    lastnameStamp: integer('lastname_stamp').notNull(),
    deviceStamp: integer('device_stamp').notNull(),
    brandStamp: integer('brand_stamp').notNull(),
    modelStamp: integer('model_stamp').notNull(),
    // The user's first event, and their first one with a start parameter, of those that are no longer stored: time, key and context.
    firstTime: integer('first_time'),
    firstKey: integer('first_key'),
    firstContextId: integer('first_context_id'),
    startTime: integer('start_time'),
    startKey: integer('start_key'),
    startContextId: integer('start_context_id'),
  },
  (table) => [
    primaryKey({ columns: [table.applicationId, table.telegramId] }),
    // Few rows have one, and no row that collection writes: they say which contexts are still in use.
    index('users_by_first_context')
      .on(table.applicationId, table.firstContextId)
      .where(sql`${table.firstContextId} is not null`),
    index('users_by_start_context')
      .on(table.applicationId, table.startContextId)
      .where(sql`${table.startContextId} is not null`),
  ],
)

export const sessions = sqliteTable(
  'sessions',
  {
    applicationId: integer('application_id').notNull(),
    telegramId: integer('telegram_id').notNull(),
    session: text().notNull(),
    day: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.applicationId, table.telegramId, table.session, table.day] })],
)

export const events = sqliteTable(
  'events',
  {
    applicationId: integer('application_id').notNull(),
    nameId: integer('name_id').notNull(),
    time: integer().notNull(),
    telegramId: integer('telegram_id').notNull(),
    eventKey: integer('event_key').notNull(),
    contextId: integer('context_id').notNull(),
    params: text(),
  },
  (table) => [
    primaryKey({ columns: [table.applicationId, table.nameId, table.time, table.telegramId, table.eventKey] }),
  ],
)

/** Ids of events, up to 32 in a row; see `memberOf` in `collection/identity.ts`. */
export const eventIds = sqliteTable(
  'event_ids',
  {
    applicationId: integer('application_id').notNull(),
    /** The first id that the row may hold: its member 0. */
    eventId: blob('event_id').notNull(),
    /** A bit for each member. Rows of release a465e32 hold member 0 alone, whatever their id. */
    members: integer().notNull().default(1),
  },
  (table) => [primaryKey({ columns: [table.applicationId, table.eventId] })],
)

/** The partitionings of an application that are kept up to date: over how many objects its users are spread. No row: over one. */
export const layouts = sqliteTable(
  'layouts',
  {
    applicationId: integer('application_id').notNull(),
    objects: integer().notNull(),
    /** The IANA name of the zone whose days it counts by. */
    timeZone: text('time_zone').notNull().default('UTC'),
    /** Since when another one answers questions; null while it does, or is being filled to do so. */
    retiredAt: integer('retired_at'),
  },
  (table) => [primaryKey({ columns: [table.applicationId, table.objects] })],
)

/**
 * Between these two moments something was stored under these names, for users of this part, that its object does not know yet.
 * The mark grows with every change, so that one made meanwhile is not lost.
 */
export const changes = sqliteTable(
  'changes',
  {
    applicationId: integer('application_id').notNull(),
    objects: integer().notNull(),
    part: integer().notNull(),
    /** The stretch of time that the moments lie in: an hour, where it is recent a minute, of live events five seconds. See `bucketOf`. */
    bucket: integer('hour').notNull(),
    /** 0: `names`, or where these are null all. */
    nameId: integer('name_id').notNull(),
    fromTime: integer('from_time').notNull(),
    toTime: integer('to_time').notNull(),
    mark: integer().notNull(),
    markedAt: integer('marked_at').notNull(),
    /** Ids of the names that have live events; null: those of `name_id`. */
    names: text({ mode: 'json' }).$type<readonly number[]>(),
  },
  (table) => [primaryKey({ columns: [table.applicationId, table.objects, table.part, table.bucket, table.nameId] })],
)

/**
 * A number that grows whenever something is taken away from an application's activity or moved elsewhere. Deliveries name the
 * one that they know; with an old one nothing of them is stored. No row: 0.
 */
export const fences = sqliteTable('fences', {
  applicationId: integer('application_id').primaryKey(),
  generation: integer().notNull(),
})

/** The other columns of a primary key that begins with the application. */
export function keyOf(table: SQLiteTable): SQLiteColumn[] {
  return getTableConfig(table).primaryKeys.flatMap(({ columns }) => columns.slice(1))
}
