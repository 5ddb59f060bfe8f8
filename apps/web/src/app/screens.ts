import { aheadTitle } from '../texts/ahead-title.ts'
import { alertsTitle } from '../texts/alerts-title.ts'
import { builderTitles } from '../texts/builder-title.ts'
import { forecastQualityTitle as qualityTitle } from '../texts/forecast-quality-title.ts'
import { reportTitle } from '../texts/report-title.ts'
import { shellTexts } from '../texts/shell.ts'
import { simulationScreenTexts as simulationTexts } from '../texts/simulation-screens.ts'
import { sweepTitle } from '../texts/sweep-title.ts'
import { holdExtras, releaseExtras } from '../ui/load-order.ts'
import type { Screen } from './screen.ts'

/** Every screen that exists, in the order of the menu. */
export const SCREENS: Screen[] = [
  {
    path: '/',
    title: shellTexts.nav.live,
    access: 'public',
    menu: { label: shellTexts.nav.live },
    layout: 'stage',
    bare: true,
    load: () => {
      // The map comes first, and its library is asked for at once rather than after the screen has come.
      holdExtras()
      // The screen asks for it again and tells when it does not come.
      import('../features/live/LiveMap.tsx').catch(releaseExtras)
      return import('../features/live/LiveScreen.tsx').catch((error: unknown) => {
        releaseExtras()
        throw error
      })
    },
  },
  {
    path: '/analyse',
    title: shellTexts.nav.analysis,
    menu: { label: shellTexts.nav.analysis },
    load: () => import('../features/analysis/AnalysisScreen.tsx'),
  },
  {
    path: '/analyse/prevision',
    title: qualityTitle,
    load: () => import('../features/quality/QualityScreen.tsx'),
  },
  {
    path: '/balayage',
    title: sweepTitle,
    load: () => import('../features/sweep/SweepScreen.tsx'),
  },
  {
    path: '/prevision',
    title: aheadTitle,
    load: () => import('../features/ahead/AheadScreen.tsx'),
  },
  {
    path: '/alertes',
    title: alertsTitle,
    load: () => import('../features/alerts/AlertsScreen.tsx'),
  },
  {
    path: '/mrr',
    title: shellTexts.nav.mrr,
    access: 'public',
    menu: { label: shellTexts.nav.mrr },
    load: () => import('../features/mrr/MrrScreen.tsx'),
  },
  {
    path: '/multihydro',
    title: shellTexts.nav.simulation,
    menu: { label: shellTexts.nav.simulation },
    load: () => import('../features/simulation/list/SimulationListScreen.tsx'),
  },
  {
    path: '/multihydro/comparer',
    title: simulationTexts.compareTitle,
    load: () => import('../features/simulation/compare/CompareScreen.tsx'),
  },
  {
    path: '/multihydro/form',
    title: simulationTexts.formTitle,
    load: () => import('../features/simulation/form/SimulationFormScreen.tsx'),
  },
  {
    path: '/multihydro/case-study/form/:caseStudyId',
    title: simulationTexts.formTitle,
    access: 'public',
    load: () => import('../features/simulation/form/SimulationFormScreen.tsx'),
  },
  {
    path: '/multihydro/:jobId',
    title: simulationTexts.detailTitle,
    access: 'public',
    load: () => import('../features/simulation/detail/SimulationDetailScreen.tsx'),
  },
  {
    path: '/multihydro/:jobId/espace',
    title: simulationTexts.workspaceTitle,
    layout: 'stage',
    load: () => {
      const { pathname, search } = window.location
      const jobId = /^\/multihydro\/([0-9a-f-]{36})\/espace/.exec(pathname)?.[1]
      if (jobId !== undefined)
        import('../features/simulation/workspace/early.ts').then(
          ({ askEarly }) => askEarly(jobId, search),
          Boolean,
        )
      return import('../features/simulation/workspace/WorkspaceScreen.tsx')
    },
  },
  {
    path: '/bassins',
    title: simulationTexts.catchmentsTitle,
    load: () => import('../features/simulation/catchments/CatchmentsScreen.tsx'),
  },
  {
    path: '/bassins/nouveau',
    title: builderTitles.drafts,
    load: () => import('../features/builder/list/DraftsScreen.tsx'),
  },
  {
    path: '/bassins/nouveau/:draft',
    title: builderTitles.draft,
    load: () => import('../features/builder/BuilderScreen.tsx'),
  },
  {
    path: '/reseaux',
    title: shellTexts.nav.networks,
    menu: { label: shellTexts.nav.networks },
    load: () => import('../features/networks/list/NetworksScreen.tsx'),
  },
  {
    path: '/reseaux/:id',
    title: shellTexts.nav.networks,
    load: () => import('../features/networks/detail/NetworkScreen.tsx'),
  },
  {
    path: '/rapport',
    title: reportTitle,
    bare: true,
    load: () => import('../features/report/ReportScreen.tsx'),
  },
  {
    path: '/rapport/simulation/:jobId',
    title: reportTitle,
    bare: true,
    load: () => import('../features/report/ReportScreen.tsx'),
  },
  {
    path: '/a-propos',
    title: shellTexts.nav.about,
    access: 'public',
    menu: { label: shellTexts.nav.about },
    load: () => import('../features/about/AboutScreen.tsx'),
  },
  {
    path: '/aide',
    title: shellTexts.guide,
    access: 'public',
    bare: true,
    load: () => import('../features/guide/GuideScreen.tsx'),
  },
  {
    path: '/aide/:page',
    title: shellTexts.guide,
    access: 'public',
    bare: true,
    load: () => import('../features/guide/GuideScreen.tsx'),
  },
  {
    path: '/admin',
    title: shellTexts.nav.admin,
    menu: { label: shellTexts.nav.admin, managerOnly: true },
    load: () => import('../features/admin/AdminScreen.tsx'),
  },
  {
    path: '/compte',
    title: shellTexts.nav.account,
    access: 'public',
    load: () => import('../features/account/AccountScreen.tsx'),
  },
]
