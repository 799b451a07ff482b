import type { Reporter, TestModule, TestSpecification } from 'vitest/node'

/** The slowest runtime closes in a few seconds. */
const CLOSING_MS = 60_000

/**
 * Ends a run whose tests are all done but for a Workers runtime that does not close: it waits for ever where a queue or an alarm
 * calls the Worker in the very moment in which its file ends.
 */
export class EndingReporter implements Reporter {
  #running = 0
  readonly #failed: TestModule[] = []
  #timer: NodeJS.Timeout | undefined

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#running = specifications.length
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running -= 1
    if (!module.ok()) this.#failed.push(module)
    if (this.#running === 0) this.#timer = setTimeout(() => this.#end(), CLOSING_MS).unref()
  }

  onTestRunEnd(): void {
    clearTimeout(this.#timer)
  }

  #end(): void {
    for (const module of this.#failed) console.error(describe(module))
    const outcome = this.#failed.length > 0 ? 'Tests failed' : 'All tests passed'
    console.error(
      `${outcome}. A Workers runtime did not close within ${CLOSING_MS / 1000} s of the last one, so the run ends here.`,
    )
    process.exit(this.#failed.length > 0 ? 1 : 0)
  }
}

/** The tests that failed and why, as Vitest itself tells only when a run ends by itself. */
function describe(module: TestModule): string {
  const tests = [...module.children.allTests('failed')].map((test) => ({
    name: test.fullName,
    errors: test.result().errors,
  }))
  const all = [{ name: 'the file', errors: module.errors() }, ...tests]
  const lines = all.flatMap(({ name, errors = [] }) =>
    errors.map(({ message, stack }) => `  ${name}: ${message}\n${stack}`),
  )
  return [module.moduleId, ...lines].join('\n')
}
