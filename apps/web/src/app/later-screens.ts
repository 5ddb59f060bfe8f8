import type { ComponentType } from 'react'

type Load = () => Promise<{ default: ComponentType }>

/**
 * How every screen but the live page comes, by its path in `screens.ts`. Beside the first page's script, because the names of
 * the two hundred files of these screens would take two kilobytes of it; the server names this file with their pages.
 */
export const LATER_SCREENS: Record<string, Load> = {
  '/analyse': () => import('../features/analysis/AnalysisScreen.tsx'),
  '/analyse/prevision': () => import('../features/quality/QualityScreen.tsx'),
  '/balayage': () => import('../features/sweep/SweepScreen.tsx'),
  '/prevision': () => import('../features/ahead/AheadScreen.tsx'),
  '/alertes': () => import('../features/alerts/AlertsScreen.tsx'),
  '/mrr': () => import('../features/mrr/MrrScreen.tsx'),
  '/multihydro': () => import('../features/simulation/list/SimulationListScreen.tsx'),
  '/multihydro/comparer': () => import('../features/simulation/compare/CompareScreen.tsx'),
  '/multihydro/batterie': () => import('../features/simulation/battery/OrderScreen.tsx'),
  '/multihydro/batterie/:id': () => import('../features/simulation/battery/BatteryScreen.tsx'),
  '/multihydro/calage': () => import('../features/simulation/calibration/CalibrationScreen.tsx'),
  '/multihydro/form': () => import('../features/simulation/form/SimulationFormScreen.tsx'),
  '/multihydro/case-study/form/:caseStudyId': () =>
    import('../features/simulation/form/SimulationFormScreen.tsx'),
  '/multihydro/:jobId': () => import('../features/simulation/detail/SimulationDetailScreen.tsx'),
  '/multihydro/:jobId/espace': () => {
    const { pathname, search } = window.location
    const jobId = /^\/multihydro\/([0-9a-f-]{36})\/espace/.exec(pathname)?.[1]
    if (jobId !== undefined)
      import('../features/simulation/workspace/early.ts').then(
        ({ askEarly }) => askEarly(jobId, search),
        Boolean,
      )
    return import('../features/simulation/workspace/WorkspaceScreen.tsx')
  },
  '/bassins': () => import('../features/simulation/catchments/CatchmentsScreen.tsx'),
  '/bassins/nouveau': () => import('../features/builder/list/DraftsScreen.tsx'),
  '/bassins/nouveau/:draft': () => import('../features/builder/BuilderScreen.tsx'),
  '/reseaux': () => import('../features/networks/list/NetworksScreen.tsx'),
  '/reseaux/:id': () => import('../features/networks/detail/NetworkScreen.tsx'),
  '/rapport': () => import('../features/report/ReportScreen.tsx'),
  '/rapport/simulation/:jobId': () => import('../features/report/ReportScreen.tsx'),
  '/a-propos': () => import('../features/about/AboutScreen.tsx'),
  '/aide': () => import('../features/guide/GuideScreen.tsx'),
  '/aide/:page': () => import('../features/guide/GuideScreen.tsx'),
  '/admin': () => import('../features/admin/AdminScreen.tsx'),
  '/compte': () => import('../features/account/AccountScreen.tsx'),
}
