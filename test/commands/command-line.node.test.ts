import { expect, it, vi } from 'vitest'
import { FLAG, readCommandLine, runSubcommand, TEXT } from '../../src/commands/command-line.ts'
import { CommandFailure } from '../../src/commands/failure.ts'

const HELP = 'a long help'
const OPTIONS = { application: TEXT, yes: FLAG }
const COMMANDS = { list: { takes: [], run: vi.fn() }, 'revoke-key': { takes: [], run: vi.fn() } }

it.each([
  [['lst'], 'There is no command "lst". Did you mean list? Show all commands with --help.'],
  [['revoke'], 'There is no command "revoke". Did you mean revoke-key? Show all commands with --help.'],
  [['constructor'], 'There is no command "constructor". Show all commands with --help.'],
  [
    ['list', '--aplication', 'x'],
    'There is no option --aplication. Did you mean --application? Show all options with --help.',
  ],
  [['list', '--yes'], '"list" does not take --yes. Show all options with --help.'],
  [['list', 'more'], '"list" does not take "more". Show all options with --help.'],
])('says in a sentence what is wrong with %j', async (args, sentence) => {
  const running = runSubcommand(args, { options: OPTIONS, help: HELP, commands: COMMANDS })
  await expect(running).rejects.toThrow(new CommandFailure(sentence))
})

it.each([
  ['--prot', 'PORT'],
  ['--port=9000', 'PORT'],
  ['--host=0.0.0.0', 'MAUVE_HOST'],
])('%s names the variable %s, which sets what the option was thought to set', (option, variable) => {
  const variables = ['PORT', 'MAUVE_STATE', 'MAUVE_HOST']
  const reading = () => readCommandLine([option], { options: {}, help: HELP, variables })
  expect(reading).toThrow(
    `There is no option ${option.split('=')[0]}. Set the variable ${variable} instead. Show all options with --help.`,
  )
})
