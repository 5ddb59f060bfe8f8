import type { App, Deps } from '../http/app.ts'
import { acceptFiles } from '../http/uploads.ts'
import { answersOf } from '../threads/answers.ts'
import { networkAnswer } from './answers.ts'
import { registerComparison } from './routes/comparison.ts'
import { registerKept } from './routes/kept.ts'
import type { Parts } from './routes/parts.ts'
import { registerResults } from './routes/results.ts'
import { registerRuns } from './routes/runs.ts'
import { registerUpload } from './routes/upload.ts'
import { registerVersions } from './routes/versions.ts'
import { Networks } from './service.ts'

export function registerNetworks(app: App, deps: Deps): void {
  const answers = answersOf(app, deps)
  const make: Parts['make'] = async (asked, request) =>
    (await answers.make(networkAnswer, asked, request)).body
  const parts: Parts = {
    app,
    deps,
    networks: new Networks(deps),
    make,
    sendJson: async (asked, request, reply) =>
      reply.type('application/json; charset=utf-8').send(await make(asked, request)) as never,
  }
  acceptFiles(app)
  registerKept(parts)
  registerUpload(parts)
  registerVersions(parts)
  registerRuns(parts)
  registerResults(parts)
  registerComparison(parts)
}
