import { aheadTitle } from '../texts/ahead-title.ts'
import { alertsTitle } from '../texts/alerts-title.ts'
import { forecastQualityTitle as qualityTitle } from '../texts/forecast-quality-title.ts'
import { reportTexts } from '../texts/report.ts'
import { shellTexts } from '../texts/shell.ts'
import { simulationScreenTexts as simulationTexts } from '../texts/simulation-screens.ts'
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
    access: 'signed-in',
    menu: { label: shellTexts.nav.analysis },
    layout: 'page',
    load: () => import('../features/analysis/AnalysisScreen.tsx'),
  },
  {
    path: '/analyse/prevision',
    title: qualityTitle,
    access: 'signed-in',
    layout: 'page',
    load: () => import('../features/quality/QualityScreen.tsx'),
  },
  {
    path: '/prevision',
    title: aheadTitle,
    access: 'signed-in',
    layout: 'page',
    load: () => import('../features/ahead/AheadScreen.tsx'),
  },
  {
    path: '/alertes',
    title: alertsTitle,
    access: 'signed-in',
    layout: 'page',
    load: () => import('../features/alerts/AlertsScreen.tsx'),
  },
  {
    path: '/mrr',
    title: shellTexts.nav.mrr,
    access: 'public',
    menu: { label: shellTexts.nav.mrr },
    layout: 'page',
    load: () => import('../features/mrr/MrrScreen.tsx'),
  },
  {
    path: '/multihydro',
    title: shellTexts.nav.simulation,
    access: 'signed-in',
    menu: { label: shellTexts.nav.simulation },
    layout: 'page',
    load: () => import('../features/simulation/list/SimulationListScreen.tsx'),
  },
  {
    path: '/multihydro/form',
    title: simulationTexts.formTitle,
    access: 'signed-in',
    layout: 'page',
    load: () => import('../features/simulation/form/SimulationFormScreen.tsx'),
  },
  {
    path: '/multihydro/case-study/form/:caseStudyId',
    title: simulationTexts.formTitle,
    access: 'public',
    layout: 'page',
    load: () => import('../features/simulation/form/SimulationFormScreen.tsx'),
  },
  {
    path: '/multihydro/:jobId',
    title: simulationTexts.detailTitle,
    access: 'public',
    layout: 'page',
    load: () => import('../features/simulation/detail/SimulationDetailScreen.tsx'),
  },
  {
    path: '/multihydro/:jobId/espace',
    title: simulationTexts.workspaceTitle,
    access: 'signed-in',
    layout: 'stage',
    load: () => import('../features/simulation/workspace/WorkspaceScreen.tsx'),
  },
  {
    path: '/reseaux',
    title: shellTexts.nav.networks,
    access: 'signed-in',
    menu: { label: shellTexts.nav.networks },
    layout: 'page',
    load: () => import('../features/networks/list/NetworksScreen.tsx'),
  },
  {
    path: '/reseaux/:id',
    title: shellTexts.nav.networks,
    access: 'signed-in',
    layout: 'page',
    load: () => import('../features/networks/detail/NetworkScreen.tsx'),
  },
  {
    path: '/rapport',
    title: reportTexts.title,
    access: 'signed-in',
    layout: 'page',
    bare: true,
    load: () => import('../features/report/ReportScreen.tsx'),
  },
  {
    path: '/rapport/simulation/:jobId',
    title: reportTexts.title,
    access: 'signed-in',
    layout: 'page',
    bare: true,
    load: () => import('../features/report/ReportScreen.tsx'),
  },
  {
    path: '/a-propos',
    title: shellTexts.nav.about,
    access: 'public',
    menu: { label: shellTexts.nav.about },
    layout: 'page',
    load: () => import('../features/about/AboutScreen.tsx'),
  },
  {
    path: '/aide',
    title: shellTexts.guide,
    access: 'public',
    layout: 'page',
    bare: true,
    load: () => import('../features/guide/GuideScreen.tsx'),
  },
  {
    path: '/aide/:page',
    title: shellTexts.guide,
    access: 'public',
    layout: 'page',
    bare: true,
    load: () => import('../features/guide/GuideScreen.tsx'),
  },
  {
    path: '/admin',
    title: shellTexts.nav.admin,
    access: 'signed-in',
    menu: { label: shellTexts.nav.admin, managerOnly: true },
    layout: 'page',
    load: () => import('../features/admin/AdminScreen.tsx'),
  },
  {
    path: '/compte',
    title: shellTexts.nav.account,
    access: 'public',
    layout: 'page',
    load: () => import('../features/account/AccountScreen.tsx'),
  },
]
