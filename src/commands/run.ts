import { CommandFailure, runCommand } from './failure.ts'

type Command = (args: string[]) => Promise<void>

/** What npm scripts run: `node src/commands/run.ts NAME …`. Each is loaded only when it runs, because some read the environment then. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  account: async () => (await import('./account/account.ts')).account,
  backup: async () => (await import('./backup/backup.ts')).backup,
  build: async () => (await import('./build-assets.ts')).buildAssets,
  'build-api': async () => (await import('./build-api.ts')).buildApi,
  'dead-letters': async () => (await import('./dead-letters.ts')).deadLetters,
  demo: async () => (await import('./demo/demo.ts')).demo,
  deploy: async () => (await import('./deploy/deploy.ts')).deploy,
  import: async () => (await import('./import/import.ts')).importFiles,
  pack: async () => (await import('./pack.ts')).pack,
  restore: async () => (await import('./backup/restore.ts')).restore,
  start: async () => (await import('./start.ts')).start,
}

/** Commands that work on a running service, which they find themselves. */
const USE_SERVICE = ['account', 'backup', 'dead-letters', 'demo', 'import']

await runCommand(async () => {
  const [name = '', ...args] = process.argv.slice(2)
  const load = COMMANDS[name]
  if (!load) throw new CommandFailure(`Unknown command "${name}". Choose one of: ${Object.keys(COMMANDS).join(', ')}.`)
  const isHelp = args.includes('--help') || args.includes('-h')
  if (USE_SERVICE.includes(name) && !isHelp) (await import('./running.ts')).useRunning(args)
  const command = await load()
  await command(args)
})
