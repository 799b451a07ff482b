import { askThroughNpm } from './audit/npm-audit.ts'
import { askQuickAudit } from './audit/quick-audit.ts'
import { CommandFailure, runCommand } from './failure.ts'

/**
 * Looks the packages that are deployed up in the registry's list of known holes, in whichever form the registry has one. Where no
 * audit can be made a person is told so and goes on; CI fails, unless `AUDIT=skip` says that this is known there.
 */
await runCommand(async () => {
  const asked = await askThroughNpm()
  const { holes, reason } = asked.holes ? asked : await askQuickAudit(asked.reason)
  if (reason !== undefined) return passOver(reason)
  if (holes.length > 0) throw new CommandFailure(`Packages with known holes: ${holes.join(', ')}. See: npm audit`)
  console.log('Audit of dependencies: no known hole.')
})

function passOver(reason: string): void {
  const { CI, AUDIT } = process.env
  if (CI && AUDIT !== 'skip') {
    throw new CommandFailure(
      `The audit of dependencies could not be made: ${reason}. Where no registry with one can be reached: AUDIT=skip`,
    )
  }
  console.log(`AUDIT OF DEPENDENCIES SKIPPED: ${reason}.`)
}
