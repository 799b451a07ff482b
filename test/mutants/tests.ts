import { createVitest, type TestCase, type TestModule } from 'vitest/node'
import type { Mutant } from './mutant.ts'
import { literal } from './patch.ts'

/** What some tests said. */
export interface Ran {
  readonly passed: number
  /** The tests in which an assertion failed: title and file. */
  readonly failed: readonly string[]
  /** All else that went wrong: a file that could not be read, an error that no assertion threw, a title that no test has. */
  readonly problems: readonly string[]
}

export interface Tests {
  /** Runs what should notice these mutants, properties for this time each. */
  run(mutants: readonly Pick<Mutant, 'test' | 'title'>[], options: { readonly casesMs: number }): Promise<Ran>
  /** A file has changed. */
  forget(file: string): void
  close(): Promise<void>
}

/** The tests of a checkout, run in this process again and again: most of a run would otherwise go into starting it. */
export async function openTests(root: string): Promise<Tests> {
  process.chdir(root)
  // As the command of Vitest sets it; without it the Workers runtime asks the internet where it is.
  process.env.NODE_ENV ??= 'test'
  process.env.WRANGLER_LOG = 'none'
  const vitest = await createVitest('test', {
    root,
    config: `${root}test/vitest.config.ts`,
    watch: false,
    reporters: [{}],
    maxWorkers: 1,
  })
  return {
    async run(mutants, { casesMs }) {
      for (const project of vitest.projects) project.provide('casesMs', casesMs)
      const specifications = [...Map.groupBy(mutants, ({ test }) => test)].map(([test, own]) => {
        const project = vitest.getProjectByName(projectOf(test))
        const titles = own.map(({ title }) => literal(title ?? ''))
        return project.createSpecification(root + test, { testNamePattern: new RegExp(titles.join('|')) })
      })
      const files = new Set(specifications.map(({ moduleId }) => moduleId))
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
      // Those of earlier runs are listed, too.
      const modules = testModules.filter(({ moduleId }) => files.has(moduleId))
      const results = modules.map((module) => resultOf(module, module.moduleId.slice(root.length)))
      return {
        passed: results.reduce((sum, { passed }) => sum + passed, 0),
        failed: results.flatMap(({ failed }) => failed),
        problems: [...results.flatMap(({ problems }) => problems), ...unhandledErrors.map(String)],
      }
    },
    forget: (file) => vitest.invalidateFile(file),
    close: () => vitest.close(),
  }
}

function projectOf(test: string): string {
  const [, place] = /\.(alone|node|outside)\.test\.ts$/.exec(test) ?? []
  if (place === undefined) return 'shared'
  return place === 'outside' && test.startsWith('test/commands/') ? 'commands' : place
}

function resultOf(module: TestModule, file: string): Ran {
  const tests = [...module.children.allTests()].filter((test) => test.result().state !== 'skipped')
  const failed = tests.filter((test) => test.result().state === 'failed')
  const noticed = failed.filter((test) => test.result().errors?.some(isAssertion))
  const problems = [...module.errors(), ...failed.filter((test) => !noticed.includes(test)).flatMap(errorsOf)]
  return {
    passed: tests.length - failed.length,
    failed: noticed.map((test) => `${test.fullName} (${file})`),
    problems: [
      ...problems.map((error) => `${messageOf(error)} (${file})`),
      ...(tests.length === 0 ? [`no test of these titles ran (${file})`] : []),
    ],
  }
}

function errorsOf(test: TestCase) {
  return test.result().errors ?? []
}

type TestError = ReturnType<typeof errorsOf>[number]

/** Of a property, what failed rather than the case that it failed for. */
function messageOf({ name, message, cause }: TestError): string {
  return cause ? messageOf(cause) : `${name}: ${message}`
}

/** Whether a comparison failed, by itself or in a property that random cases are tried on. */
function isAssertion({ name, message, stack = '', cause }: TestError): boolean {
  return (
    name === 'AssertionError' || /AssertionError/.test(message + stack) || (cause !== undefined && isAssertion(cause))
  )
}
