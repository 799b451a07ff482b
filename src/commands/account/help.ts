import { EFFECT_SECONDS } from '../../access/api-keys.ts'
export const HELP = `Manages accounts, API keys, members and sign-in. Run "npm start" once first: it sets up the database.

  npm run account -- create --name NAME [--plan PLAN]
      Creates an account and its first API key, of scope full.
  npm run account -- list
      Lists the accounts, oldest first.
  npm run account -- set-plan --account ID --plan PLAN
      Changes an account's plan.
  npm run account -- keys --account ID [--all]
      Lists an account's keys, newest first, and its applications. With --all, also revoked keys.
  npm run account -- issue-key --account ID [--scope SCOPE] [--application HANDLE] [--name NAME] [--persons]
      Issues another key. With --application it acts for that one; otherwise for the account's first one. Without --application,
      a key of scope read opens all applications of the account. NAME describes its purpose.
      With --persons (always with scope full), AI assistants that use the key see individual users.
  npm run account -- revoke-key KEY
      Revokes a key everywhere within ${EFFECT_SECONDS} seconds. KEY is the key itself, or its id as "keys" shows it.
  npm run account -- sign-in --account ID [--address URL]
      Creates a link that signs in to the dashboard as owner, once, within ten minutes.
  npm run account -- members --account ID
      Lists who may open the dashboard inside the messenger.
  npm run account -- add-member --account ID --telegram-id N --name NAME [--role ROLE]
      Adds a member, or changes the name and role of one.
  npm run account -- remove-member --account ID --telegram-id N
      Removes a member and signs them out.
  npm run account -- connect-bot --address URL
      Has the messenger send what people write to the bot of the service to this address. Needs BOT_TOKEN in the environment or
      in .dev.vars.
  npm run account -- columns --application HANDLE
      Shows the objects that answer questions about an application: over how many its users are spread, by the days of which
      time zone they count, how many still read everything, how many changes wait to be read and since when.
  npm run account -- partition --application HANDLE --objects N
      Spreads the users of a large application over 1, 2, 4, 8 or 16 objects. The new ones read everything first. Give the
      current number to cancel.
  npm run account -- rebuild --application HANDLE
      Makes an application's objects read everything again from the database.
  npm run account -- move --application HANDLE [--database N] [--dry-run]
      Moves an application to another database. The users of a large one can be in several: --database 1,2,3,2 (1, 2, 4, 8 or
      16 numbers, no more than it has objects). Without --database, shows where it is and how far a move is.
  npm run account -- erase --application HANDLE --user N [--block] [--yes] [--dry-run]
      Erases a person from an application, by messenger id. With --block, later events are not stored either.
  npm run account -- delete --account ID [--yes] [--dry-run]
      Deletes an account with all of its applications, keys, members and links.

  ID       of an account, as "list" shows it
  PLAN     standard or enterprise; default for a new account: DEFAULT_PLAN of wrangler.toml
  SCOPE    full (default) opens every operation, read every question and nothing else, client only what tracking clients need
  HANDLE   of an application, with or without its at-sign, or its project id
  ROLE     viewer (default) is read-only, owner may change everything
  URL      of the service; default: where npm start serves it. Required with --remote

  --yes           do not ask before a deletion; required without a terminal
  --json          print JSON
  --dry-run       erase, delete, move: say what would be done, and do nothing
  --remote        work on the database of the deployed service instead of the local one
  --show-secrets  create, issue-key, sign-in: print the new key or link even if the output is not a terminal
  --help, -h      this text

A key is shown once, when it is issued, in a terminal only. If the output goes elsewhere (a pipe, the log of a CI job), the key
goes into a file that only you can read, and the output names it: "API key file", in JSON "apiKeyFile". The same holds for
sign-in links: "Sign-in link file", "signInLinkFile".`
