import type { CatchmentPart } from './catchment-rights.ts'

/**
 * Who may call what: the one declared table. A route without a row makes the server refuse to start.
 *
 * - access: `public` everyone; `live` everyone for the live window, a signed-in user beyond it;
 *   `mixed` everyone, where who is signed in is given more; `session` a signed-in user; `manager` a user with
 *   that role; `catchments` one who may add catchments, as managers may.
 * - restriction: `period` when the answer shows images of a chosen period, values or files, so that the
 *   account's dates apply; `none` for everything else. See http/authorize.ts for how it is enforced.
 * - catchment: names in the address or the query that lead to a catchment, which only some may see. See
 *   http/catchment-rights.ts.
 */
export interface Right {
  access: 'public' | 'live' | 'mixed' | 'session' | 'manager' | 'catchments'
  restriction: 'none' | 'period'
  catchment?: Readonly<Record<string, CatchmentPart>>
  /** The page asks by itself: the call does not put off the end of a session without use. */
  byItself?: true
}

const open: Right = { access: 'public', restriction: 'none' }
const session: Right = { access: 'session', restriction: 'none' }
const manager: Right = { access: 'manager', restriction: 'none' }
const period: Right = { access: 'session', restriction: 'period' }
const mixed: Right = { access: 'mixed', restriction: 'period' }
const catchments: Right = { access: 'catchments', restriction: 'none' }
const ofCatchment: Right = {
  ...session,
  catchment: { catchmentId: 'catchment', jobId: 'run', luseId: 'landUse' },
}
const ofRun: Right = { ...session, catchment: { jobId: 'run', reference: 'run' } }
const resultsOfRun: Right = { ...ofRun, ...period }
const ofLandUse: Right = { ...session, catchment: { id: 'landUse' } }

/** By `METHOD path` as registered with Fastify; a path that ends in `**` covers what lies below it. */
export const RIGHTS: Record<string, Right> = {
  // Operation
  'GET /healthz': open,
  'GET /readyz': open,
  // A scraper brings a token with the scope `manage`
  'GET /metrics': manager,
  'GET /api/openapi.json': open,
  'GET /api/docs**': open,
  'GET /api/site': open,
  'GET /api/status': open,
  // Accounts
  'POST /api/users/login': open,
  'PUT /api/users/csv': { access: 'session', restriction: 'none' },
  'POST /api/users/logout': session,
  // One's own account
  'PUT /api/users/password': session,
  'GET /api/users/session': { ...session, byItself: true },
  'GET /api/users/sessions': session,
  'DELETE /api/users/sessions': session,
  'DELETE /api/users/sessions/:id': session,
  // Personal access tokens: made and seen in a session only (http/scopes.ts)
  'GET /api/users/tokens': session,
  'POST /api/users/tokens': session,
  'DELETE /api/users/tokens/:id': session,
  'GET /api/users/security': session,
  'POST /api/users/totp': session,
  'PUT /api/users/totp': session,
  'POST /api/users/totp/remove': session,
  'POST /api/users/recovery-codes': session,
  'POST /api/users/passkeys/options': session,
  'POST /api/users/passkeys': session,
  'POST /api/users/passkeys/remove': session,
  'POST /api/users/login/passkey/options': open,
  'POST /api/users/login/passkey': open,
  // A link of a manager is the right itself
  'POST /api/users/password-link': open,
  // Administration of accounts
  'GET /api/admin/accounts': manager,
  'POST /api/admin/accounts': manager,
  'PUT /api/admin/accounts/:id': manager,
  'POST /api/admin/accounts/:id/disable': manager,
  'POST /api/admin/accounts/:id/enable': manager,
  'POST /api/admin/accounts/:id/end-sessions': manager,
  'POST /api/admin/accounts/:id/remove-factors': manager,
  'POST /api/admin/accounts/:id/link': manager,
  // One's own data
  'GET /api/users/data': session,
  'GET /api/users/data.json': session,
  'POST /api/users/erase': session,
  // Administration of work and data
  'GET /api/admin/jobs': manager,
  'POST /api/admin/jobs/:id/retry': manager,
  'GET /api/admin/ingest': manager,
  'GET /api/admin/ingest/rejected/:name': manager,
  'GET /api/admin/storage': manager,
  // Audit trail
  'GET /api/admin/audit': manager,
  'GET /api/admin/audit/chain': manager,
  'GET /api/shapefile/:name': session,
  // Short links: one's own; where one leads is open, and the page there asks for its own rights
  'GET /api/links': session,
  'POST /api/links': session,
  'DELETE /api/links/:name': session,
  'GET /l/:name': open,
  // The newest image of the live window
  'GET /cards/direct.png': open,
  // Home message
  'GET /api/article/home-message': open,
  'GET /api/admin/article/home-message': manager,
  'PUT /api/article/home-message': manager,
  // Saved events: each user has only his own; the computed cumul shows data of the period
  'GET /api/users/events': { access: 'session', restriction: 'none' },
  'PUT /api/users/events': { access: 'session', restriction: 'period' },
  'PUT /api/users/events/:id': { access: 'session', restriction: 'period' },
  'DELETE /api/users/events/:id': { access: 'session', restriction: 'none' },
  // Return periods: tables are the site's and one's own; depths show values of a period
  'GET /api/storms/tables': session,
  'PUT /api/storms/tables': session,
  'DELETE /api/storms/tables/:id': session,
  'GET /api/storms/return-periods': period,
  // Years outside the account's dates are left out
  'GET /api/storms/statistics': session,
  // Reports: of a period, and of runs, whose radar rain is held against the reader's dates
  'GET /api/reports/event': period,
  'GET /api/reports/event.pdf': period,
  'GET /api/reports/run/:jobId': resultsOfRun,
  'GET /api/reports/run/:jobId/:file': resultsOfRun,
  // Alerts: rules and alerts are one's own; what lies outside the account's dates raises nothing and is not shown
  'GET /api/alerts': session,
  'GET /api/alerts/current': { ...session, byItself: true },
  'GET /api/alerts/log': session,
  'POST /api/alerts/rules': session,
  // What a rule would have told of a period
  'POST /api/job/alert-replay': period,
  'PUT /api/alerts/rules/:id': session,
  'DELETE /api/alerts/rules/:id': session,
  'POST /api/alerts/:id/acknowledge': session,
  'POST /api/alerts/:id/snooze': session,
  'POST /api/alerts/:id/end': session,
  // Who is told of them: one's own address and browsers; webhooks are all managers'
  'GET /api/alerts/person': session,
  'PUT /api/alerts/person': session,
  'POST /api/alerts/person/confirm': session,
  'POST /api/alerts/push': session,
  'DELETE /api/alerts/push/:id': session,
  'GET /api/alerts/webhooks': manager,
  'POST /api/alerts/webhooks': manager,
  'DELETE /api/alerts/webhooks/:id': manager,
  'POST /api/alerts/webhooks/:id/test': manager,
  'GET /api/admin/notices': manager,
  // Rain gauges: the site's where the account may look, and one's own; flags are set by managers within their dates
  'GET /api/gauges': session,
  'PUT /api/gauges': session,
  'DELETE /api/gauges/:id': session,
  'GET /api/gauges/flags': period,
  'GET /api/gauges/comparison': period,
  // What gauges say outside the account's dates takes no part in the factors
  'GET /api/gauges/adjustment': period,
  'GET /api/gauges/adjusted/frames': period,
  'GET /api/gauges/adjusted/accumulation': period,
  'GET /api/gauges/adjusted.csv': period,
  'POST /api/gauges/:id/flags': manager,
  'DELETE /api/gauges/flags/:id': manager,
  // Rain across scales: parameters of a period
  'GET /api/scaling/event': period,
  // Micro rain radar: the newest picture and the demonstration hour are open
  'GET /api/mrr/latest': open,
  'GET /images/mrr/:file': open,
  'GET /api/mrr/demo': open,
  // Days outside the account's dates are left out
  'GET /api/mrr/calendar': { access: 'session', restriction: 'none' },
  'GET /api/mrr/day/:day': { access: 'session', restriction: 'period' },
  'GET /api/mrr/hour/:datetime': { access: 'session', restriction: 'period' },
  // The pixel over the instrument is a fixed place of the site, like the instrument: no gauge
  'GET /api/mrr/period': { access: 'session', restriction: 'period' },
  'GET /api/mrr/export/:datetime': { access: 'session', restriction: 'period' },
  // Simulations: everyone signed in sees all runs; the owner and managers change them. What comes of radar rain is
  // held against the reader's dates; the list leaves such rain out
  'GET /api/random': open,
  'GET /api/multihydro/catchments': { access: 'session', restriction: 'none' },
  'POST /api/multihydro/catchments': manager,
  'GET /api/jobs/multihydro': { access: 'session', restriction: 'none' },
  // Radar rain is held against the account's dates, virtual rain has none
  'POST /api/job/multihydro': { access: 'session', restriction: 'period' },
  // Rains of one's own; readings of a gauge are held against the account's dates
  'GET /api/multihydro/rains': ofCatchment,
  'POST /api/multihydro/rains': ofCatchment,
  'GET /api/multihydro/rains/gauge': period,
  'GET /api/multihydro/rains/:rainId': session,
  'DELETE /api/multihydro/rains/:rainId': session,
  // Orders of many runs: their owner's and managers'. Figures of rain outside the reader's dates are left out
  'POST /api/multihydro/batteries': period,
  'GET /api/multihydro/batteries': session,
  'GET /api/multihydro/batteries/:id': session,
  'GET /api/multihydro/batteries/:id/resultats.csv': session,
  'GET /api/multihydro/batteries/:id/resultats.zip': session,
  'POST /api/multihydro/batteries/:id/cancel': session,
  'DELETE /api/multihydro/batteries/:id': session,
  'GET /api/jobs/multihydro/similar/:jobId': ofRun,
  'PUT /api/multihydro/:jobId/title': ofRun,
  'GET /api/multihydro/:jobId/comment': ofRun,
  'PUT /api/multihydro/:jobId/comment': ofRun,
  'GET /api/multihydro/files': { ...session, catchment: { c: 'catchment' } },
  'DELETE /api/multihydro/file/:id': ofLandUse,
  'GET /api/multihydro/file/:id': ofLandUse,
  'GET /api/multihydro/file/:id/data': ofLandUse,
  'GET /api/multihydro/file/:id/dataJson': ofLandUse,
  'GET /api/multihydro/file/:id/imageluse': ofLandUse,
  'GET /api/multihydro/file/:id/image.jpg': ofLandUse,
  'GET /api/multihydro/file/mask/:caseStudyId': { access: 'session', restriction: 'none' },
  'GET /api/multihydro/file/compare': ofCatchment,
  'GET /api/multihydro/file/nodepath': resultsOfRun,
  'GET /api/multihydro/file/:jobId/output': resultsOfRun,
  'GET /api/multihydro/file/:jobId/depth': resultsOfRun,
  'GET /api/multihydro/file/:jobId/depth/frames': resultsOfRun,
  'GET /api/multihydro/file/:jobId/depth/geotiff': resultsOfRun,
  'GET /api/multihydro/file/:jobId/flows': resultsOfRun,
  'GET /api/multihydro/file/:jobId/rain': resultsOfRun,
  'GET /api/multihydro/file/:jobId/rain/geotiff': resultsOfRun,
  'GET /api/multihydro/file/:jobId/rain/frames': resultsOfRun,
  'GET /api/multihydro/file/:jobId/sewer/moments': resultsOfRun,
  'GET /api/multihydro/file/:jobId/sewer/moments/codes': resultsOfRun,
  'GET /api/multihydro/file/:jobId/course': resultsOfRun,
  'GET /api/multihydro/file/:jobId/course.csv': resultsOfRun,
  'GET /api/multihydro/file/:jobId/ensemble': resultsOfRun,
  'GET /api/multihydro/file/:jobId/ensemble/element': resultsOfRun,
  'GET /api/multihydro/file/:jobId/ensemble/depth': resultsOfRun,
  'GET /api/multihydro/file/:jobId/figures': resultsOfRun,
  'GET /api/multihydro/file/:jobId/sewer': resultsOfRun,
  'GET /api/multihydro/file/:jobId/streets': resultsOfRun,
  'GET /api/multihydro/file/:jobId/measures': resultsOfRun,
  'GET /api/multihydro/file/:jobId/geopackage': resultsOfRun,
  'GET /api/multihydro/file/:jobId/netcdf': resultsOfRun,
  'GET /api/multihydro/file/:jobId/cell': resultsOfRun,
  'GET /api/multihydro/file/:jobId/section': resultsOfRun,
  'GET /api/multihydro/file/:jobId/map/:map': resultsOfRun,
  'GET /api/multihydro/file/:jobId/map/:map/geotiff': resultsOfRun,
  'GET /api/multihydro/file/:jobId/max-depth.tif': resultsOfRun,
  'GET /api/multihydro/file/:jobId/max-depth.csv': resultsOfRun,
  'GET /api/multihydro/:catchmentId/nodes': ofCatchment,
  'GET /api/multihydro/:catchmentId/town': ofCatchment,
  'GET /api/multihydro/:catchmentId/town/grid': ofCatchment,
  'GET /api/job/output/:jobId': resultsOfRun,
  'GET /api/job/output/:jobId/:name/data': resultsOfRun,
  'GET /api/pathfinder/catchmentId/:catchmentId': ofCatchment,
  // Catchments: of the site, one's own, and those that others share; their owner and managers change them
  'GET /api/catchment-packages': session,
  'POST /api/catchment-packages': catchments,
  'GET /api/catchment-packages/:catchmentId': ofCatchment,
  'GET /api/catchment-packages/:catchmentId/package.zip': ofCatchment,
  'PUT /api/catchment-packages/:catchmentId/name': ofCatchment,
  'PUT /api/catchment-packages/:catchmentId/sharing': ofCatchment,
  'DELETE /api/catchment-packages/:catchmentId': ofCatchment,
  // Measurements and fits: their owner's and managers'; rain of the archive is held against the account's dates
  'POST /api/observations/columns': session,
  'POST /api/observations': session,
  'GET /api/observations': ofCatchment,
  'DELETE /api/observations/:id': session,
  'GET /api/multihydro/file/:jobId/observations': resultsOfRun,
  'GET /api/calibrations': ofCatchment,
  'POST /api/calibrations': period,
  'GET /api/calibrations/:id': session,
  'GET /api/calibrations/:id/trials': session,
  'POST /api/calibrations/:id/resume': period,
  'DELETE /api/calibrations/:id': session,
  // Networks: their owner's and managers'; what comes of radar rain is held against the reader's dates
  // Catchments on their way: one's own
  'GET /api/builder/drafts': catchments,
  'POST /api/builder/drafts': catchments,
  'GET /api/builder/drafts/:id': catchments,
  'PUT /api/builder/drafts/:id': catchments,
  'DELETE /api/builder/drafts/:id': catchments,
  'POST /api/builder/drafts/:id/files': catchments,
  'DELETE /api/builder/drafts/:id/files/:name': catchments,
  'GET /api/builder/drafts/:id/preview': catchments,
  'POST /api/builder/drafts/:id/builds': catchments,
  'GET /api/builder/builds/:buildId/bassin.zip': catchments,
  'GET /api/builder/builds/:buildId/rapport.md': catchments,
  'POST /api/builder/builds/:buildId/catchment': catchments,
  'GET /api/networks': session,
  'POST /api/networks': session,
  'GET /api/networks/:id': session,
  'PUT /api/networks/:id/name': session,
  'PUT /api/networks/:id/crs': session,
  'DELETE /api/networks/:id': session,
  'POST /api/networks/:id/versions': session,
  'GET /api/networks/:id/versions/:version/model': session,
  'GET /api/networks/:id/versions/:version/profile': period,
  'GET /api/networks/:id/versions/:version/files/:name': session,
  // Results of radar rain outside the account's dates are left out
  'GET /api/networks/:id/runs': session,
  'GET /api/networks/runs/:jobId': session,
  'POST /api/networks/:id/runs': period,
  'GET /api/networks/runs/:jobId/peaks': period,
  'GET /api/networks/runs/:jobId/curves': period,
  'GET /api/networks/runs/:jobId/files': period,
  'GET /api/networks/runs/:jobId/files/:name': period,
  'GET /api/networks/runs/:jobId/compare': period,
  'POST /api/networks/runs/:jobId/compare': period,
  // Exports: hyetograms and tables for everyone signed in, exact grids for managers
  'GET /api/products/graph': { access: 'session', restriction: 'period' },
  'GET /api/products/export.xlsx': { access: 'session', restriction: 'period' },
  'GET /api/products/hyetogram.csv': { access: 'session', restriction: 'period' },
  'GET /api/products/raster': { access: 'manager', restriction: 'period' },
  'POST /api/job/exportgeotiff': { access: 'manager', restriction: 'period' },
  'POST /api/job/exportgrid': { access: 'manager', restriction: 'period' },
  // One's own, by name and period; the files themselves follow
  'GET /api/jobs/exports': session,
  // A file belongs to who made it; its period is held against the dates of who fetches it
  'GET /images/exportgeotiff/:result': { access: 'manager', restriction: 'period' },
  'GET /images/exportgrid/:result': { access: 'manager', restriction: 'period' },
  // Long work: the owner, managers, and for kinds open to everyone signed in, they too; results that show radar data
  // outside the reader's dates are left out
  'GET /api/job/:id': { access: 'session', restriction: 'none' },
  'POST /api/job/:id/cancel': { access: 'session', restriction: 'none' },
  'DELETE /api/job/:id': { access: 'session', restriction: 'none' },
  // Radar: the live window and the aggregates are public, the same for everyone
  'GET /api/products': open,
  'GET /api/catchments': open,
  'GET /api/products/latestImages': open,
  'GET /api/products/weight': open,
  'GET /api/products/hours/:day': open,
  'GET /api/products/month/:month': open,
  'GET /api/products/months': open,
  'GET /api/products/params/:datetime': open,
  'GET /api/products/archive': period,
  'GET /api/products/pixel': period,
  'GET /api/products/accumulation': period,
  'GET /api/products/frames': { access: 'live', restriction: 'period' },
  // Polar volumes are exact values: nobody's without a session, and at the moment of the volume; the list leaves others out
  'GET /api/radar-volumes': session,
  'GET /api/radar-volumes/:id': period,
  'GET /api/radar-volumes/:id/stages': period,
  'GET /api/radar-volumes/:id/sweeps/:n/moments/:name': period,
  'GET /api/radar-volumes/:id/sweeps/:n/rays/:azimuth': period,
  'GET /api/radar-volumes/:id/section': period,
  // Volumes taken through the chain again by other settings; which there are is no matter of dates
  'POST /api/job/reprocessing': { access: 'manager', restriction: 'period' },
  'GET /api/reprocessing': manager,
  'GET /api/reprocessing/:name/comparison': { access: 'manager', restriction: 'period' },
  'DELETE /api/reprocessing/:name': manager,
  // Forecasts issued in the last 3 h are open; older ones need issue and valid times inside the account's dates
  'GET /api/nowcast': { access: 'live', restriction: 'period' },
  'GET /api/nowcast/frames': { access: 'live', restriction: 'period' },
  'GET /api/nowcast/place': { access: 'live', restriction: 'period' },
  'GET /api/nowcast/chances': { access: 'live', restriction: 'period' },
  'GET /api/nowcast/motion': { access: 'live', restriction: 'period' },
  'GET /api/nowcast/fan': { access: 'live', restriction: 'period' },
  // Exact values, like those of the pixel gauges
  'GET /api/nowcast/pixel': period,
  'GET /api/nowcast/scores': period,
  'GET /api/nowcast/scores.csv': period,
  'POST /api/job/nowcast': { access: 'manager', restriction: 'period' },
  // One moment only: a reader's share of the machine is bounded
  'POST /api/job/nowcast/moment': { access: 'session', restriction: 'period' },
  // Standards: classes of the live window are everyone's, as above; values follow the rule of gauges
  'GET /ogc/edr': open,
  'GET /ogc/edr/conformance': open,
  'GET /ogc/edr/collections': open,
  'GET /ogc/edr/collections/:id': open,
  'GET /ogc/edr/collections/:id/locations': { access: 'mixed', restriction: 'none' },
  'GET /ogc/edr/collections/:id/locations/:location': period,
  'GET /ogc/edr/collections/:id/position': period,
  'GET /ogc/edr/collections/:id/area': { access: 'manager', restriction: 'period' },
  'GET /ogc/edr/collections/:id/cube': { access: 'manager', restriction: 'period' },
  'GET /ogc/edr/collections/:id/trajectory': { access: 'manager', restriction: 'period' },
  // Outlines of catchments are everyone's; the rest follows its gauge, catchment, network or run and the dates of that
  'GET /ogc/features': open,
  'GET /ogc/features/api': open,
  'GET /ogc/features/conformance': open,
  'GET /ogc/features/collections': { access: 'mixed', restriction: 'none' },
  'GET /ogc/features/collections/:id': mixed,
  'GET /ogc/features/collections/:id/items': mixed,
  'GET /ogc/features/collections/:id/items/:item': mixed,
  // A catalogue of frames and runs: nobody is told of what they may not see
  'GET /ogc/stac': { access: 'mixed', restriction: 'none' },
  'GET /ogc/stac/conformance': open,
  'GET /ogc/stac/collections': { access: 'mixed', restriction: 'none' },
  'GET /ogc/stac/collections/:id': { access: 'mixed', restriction: 'none' },
  'GET /ogc/stac/collections/:id/items': mixed,
  'GET /ogc/stac/collections/:id/items/:item': mixed,
  'GET /ogc/stac/search': mixed,
  'POST /ogc/stac/search': mixed,
  'GET /ogc/zarr/:id/:start/:end/:key': { access: 'manager', restriction: 'period' },
  'GET /ogc/zarr/:id/:start/:end/:array/:key': { access: 'manager', restriction: 'period' },
  'GET /ogc/maps': open,
  'GET /ogc/maps/conformance': open,
  'GET /ogc/maps/collections': { access: 'mixed', restriction: 'none' },
  'GET /ogc/maps/collections/:id': mixed,
  'GET /ogc/maps/tileMatrixSets': open,
  'GET /ogc/maps/tileMatrixSets/:tileMatrixSet': open,
  'GET /ogc/maps/collections/:id/map/tiles': mixed,
  'GET /ogc/maps/collections/:id/map/tiles/:tileMatrixSet': mixed,
  'GET /ogc/maps/collections/:id/map': { access: 'live', restriction: 'period' },
  'GET /ogc/maps/collections/:id/map/tiles/:tileMatrixSet/:tileMatrix/:tileRow/:tileCol': {
    access: 'live',
    restriction: 'period',
  },
  'GET /ogc/wmts': { access: 'live', restriction: 'period' },
  'GET /ogc/wmts/1.0.0/WMTSCapabilities.xml': { access: 'live', restriction: 'period' },
  'GET /ogc/wmts/1.0.0/:layer/:style/:time/:tileMatrixSet/:tileMatrix/:tileRow/:file': {
    access: 'live',
    restriction: 'period',
  },
  'GET /ogc/wms': { access: 'live', restriction: 'period' },
  // Forecasts of floods: their issue and valid times lie inside the account's dates; the list leaves others out
  'GET /api/ahead': session,
  'PUT /api/ahead/:catchmentId': { ...manager, catchment: { catchmentId: 'catchment' } },
  'GET /api/ahead/:catchmentId/cycles': ofCatchment,
  'GET /api/ahead/:catchmentId/cycle': { ...ofCatchment, ...period },
  'GET /api/ahead/:catchmentId/network': { ...ofCatchment, ...period },
  'GET /api/ahead/:catchmentId/chances': { ...ofCatchment, ...period },
  'GET /api/ahead/:catchmentId/fan': { ...ofCatchment, ...period },
  'GET /api/ahead/:catchmentId/scores': { ...ofCatchment, ...period },
  'POST /api/job/what-if': period,
  // An image tag sends no bearer: outside the live window the address is signed and short-lived
  'GET /images/radar/:product/:file': open,
  // The web application
  'GET /*': open,
  'GET /site/*': open,
  'GET /langue/:language': open,
}

/** The row of a route; undefined when it has none. */
export function rightOf(method: string, path: string, table = RIGHTS): Right | undefined {
  // Fastify adds a HEAD to each GET; it tells no more than that does.
  const verb = method === 'HEAD' ? 'GET' : method
  const exact = table[`${verb} ${path}`]
  if (exact) return exact
  const below = Object.keys(table).find(
    (key) => key.endsWith('**') && `${verb} ${path}`.startsWith(key.slice(0, -2)),
  )
  return below === undefined ? undefined : table[below]
}
