import { CommandFailure, runCommand } from './failure.ts'

type Command = (args: string[]) => Promise<void>

/** What npm scripts run: `node src/commands/run.ts NAME …`. Loaded one at a time, as some read the environment when they load. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  account: async () => (await import('./account/account.ts')).account,
  backup: async () => (await import('./backup/backup.ts')).backup,
  build: async () => (await import('./build-assets.ts')).buildAssets,
  'dead-letters': async () => (await import('./dead-letters/dead-letters.ts')).deadLetters,
  demo: async () => (await import('./demo/demo.ts')).demo,
  deploy: async () => (await import('./deploy/deploy.ts')).deploy,
  import: async () => (await import('./import/import.ts')).importFiles,
  restore: async () => (await import('./backup/restore.ts')).restore,
  start: async () => (await import('./start.ts')).start,
}

/** They work on a running service and find it themselves. */
const USE_SERVICE = ['account', 'backup', 'dead-letters', 'demo', 'import']

await runCommand(async () => {
  const [name = '', ...args] = process.argv.slice(2)
  const load = COMMANDS[name]
  if (!load) throw new CommandFailure(`Unknown command "${name}". Choose one of: ${Object.keys(COMMANDS).join(', ')}.`)
  if (USE_SERVICE.includes(name)) (await import('./find-service.ts')).findService()
  const command = await load()
  await command(args)
})
