import { relative, sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take half a minute and more on two cores, in the order in which they begin: begun last, a long one would run
 * on beside an idle core. Attacks load the machine, so they come after the longest pages. A file that is not named comes
 * after these, in vitest's own order.
 */
const LONG = [
  'tests/browser/analysis-archive.test.ts',
  'tests/browser/live.test.ts',
  'tests/browser/gauges.test.ts',
  'tests/browser/simulation-rain.test.ts',
  'tests/browser/simulation.test.ts',
  'tests/conformance/sewer-epa.test.ts',
  'tests/browser/result-access.test.ts',
  'tests/browser/rarity.test.ts',
  'tests/browser/alternatives.test.ts',
  'tests/browser/sewer-analysis.test.ts',
  'tests/browser/flood.test.ts',
  'tests/browser/accounts.test.ts',
  'tests/browser/security.test.ts',
  'tests/browser/second-factor.test.ts',
  'tests/browser/scaling.test.ts',
  'tests/browser/every-screen.test.ts',
  'tests/browser/sewer-profile.test.ts',
  'tests/browser/forecast-quality.test.ts',
  'tests/browser/sewer-large.test.ts',
  'tests/browser/analysis-selection.test.ts',
  'tests/browser/home.test.ts',
  'tests/browser/map.test.ts',
  'tests/browser/analysis-events.test.ts',
  'tests/browser/consent.test.ts',
  'tests/attack/attack.test.ts',
  'apps/server/src/jobs/jobs.db.test.ts',
  'tests/clients/clients.test.ts',
  'tests/conformance/polarimetry.test.ts',
  'tests/crash/backup.test.ts',
  'apps/server/src/cli/serve.db.test.ts',
  'apps/server/src/db/embedded/cluster.db.test.ts',
  'tests/crash/machines.test.ts',
  'tests/crash/kills.test.ts',
  'tests/crash/simulation.test.ts',
  'apps/server/src/networks/networks.db.test.ts',
  'apps/server/src/simulation/simulation.db.test.ts',
  'apps/server/src/exports/exports.db.test.ts',
  'tests/conformance/nowcast.test.ts',
  'tests/conformance/steps.test.ts',
  'tests/conformance/adjust-command.test.ts',
  'tests/conformance/adjust-withheld.test.ts',
  'apps/server/src/cli/adjust-files.test.ts',
  'tests/conformance/simulation.test.ts',
]

/** Begins with the files that take longest, of whatever project they are. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONG.indexOf(relative(this.ctx.config.root, moduleId).split(sep).join('/'))
      return at === -1 ? LONG.length : at
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}
