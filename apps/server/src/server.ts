import { registerAccounts } from './accounts/routes.ts'
import { registerAdministration } from './administration/routes.ts'
import { keepAhead } from './ahead/keeper.ts'
import { registerAhead } from './ahead/routes.ts'
import { keepAlerts } from './alerts/keeper.ts'
import { keepNotices } from './alerts/notices/keeper.ts'
import { registerAlerts } from './alerts/routes.ts'
import { registerArticles } from './articles/routes.ts'
import { registerAudit } from './audit/routes.ts'
import { registerBuilder } from './builder/drafts/routes.ts'
import { registerCards } from './cards/routes.ts'
import { registerEvents } from './events/routes.ts'
import { registerExports } from './exports/routes.ts'
import { keepGaugeDays } from './gauges/keeper.ts'
import { registerGauges } from './gauges/routes.ts'
import type { App, Deps, RegisterFeature } from './http/app.ts'
import { createApp } from './http/create-app.ts'
import { registerIngest } from './ingest/feature.ts'
import { jobKinds } from './job-kinds.ts'
import { registerRetention } from './jobs/retention.ts'
import { registerJobs } from './jobs/routes.ts'
import { keepVerified } from './keep-verified.ts'
import { keepWarm } from './keep-warm.ts'
import { registerLinks } from './links/routes.ts'
import { mrrPacks } from './mrr/api.ts'
import { registerMrr } from './mrr/routes.ts'
import { registerNetworks } from './networks/routes.ts'
import { keepForecasts } from './nowcast/live/keeper.ts'
import { registerNowcast } from './nowcast/routes.ts'
import { registerOgc } from './ogc/routes.ts'
import { registerRadar } from './radar/routes.ts'
import { installSockets } from './realtime/sockets.ts'
import { registerReports } from './reports/routes.ts'
import { registerReprocessing } from './reprocessing/routes.ts'
import { registerScaling } from './scaling/routes.ts'
import { registerShapefiles } from './shapefiles/routes.ts'
import { keepCatchmentsSwept } from './simulation/catchment/sweep.ts'
import { registerSimulation } from './simulation/routes.ts'
import { keepStoreUp } from './store/maintenance.ts'
import { registerStorms } from './storms/routes.ts'
import { registerSweeps } from './sweeps/routes.ts'

/** Every feature of the server; a new one adds its line. */
const FEATURES: RegisterFeature[] = [
  registerAccounts,
  registerAudit,
  registerAdministration,
  registerArticles,
  registerShapefiles,
  registerLinks,
  registerCards,
  registerIngest,
  keepStoreUp([mrrPacks]),
  keepVerified,
  registerRadar,
  registerSweeps,
  registerReprocessing,
  registerNowcast,
  keepForecasts,
  registerEvents,
  registerMrr,
  registerExports,
  registerStorms,
  registerGauges,
  keepGaugeDays,
  keepWarm,
  registerScaling,
  registerReports,
  registerSimulation,
  keepCatchmentsSwept,
  registerDemonstration,
  registerNetworks,
  registerBuilder,
  registerOgc,
  registerAhead,
  keepAhead,
  registerAlerts,
  keepAlerts,
  keepNotices,
  registerJobs,
  registerRetention(jobKinds),
  installSockets,
]

/** The demonstration is not even loaded where it is off. */
async function registerDemonstration(app: App, deps: Deps): Promise<void> {
  if (!deps.config.demo) return
  const [weather, simulation] = await Promise.all([
    import('./demo/feature.ts'),
    import('./simulation/demo.ts'),
  ])
  weather.registerDemo(app, deps)
  simulation.registerSimulationDemo(app, deps)
}

/** The whole server, not yet listening. */
export function createServer(deps: Deps): Promise<App> {
  return createApp(deps, { features: FEATURES })
}
