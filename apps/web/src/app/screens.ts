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
  },
  {
    path: '/analyse/prevision',
    title: qualityTitle,
  },
  {
    path: '/balayage',
    title: sweepTitle,
  },
  {
    path: '/prevision',
    title: aheadTitle,
  },
  {
    path: '/alertes',
    title: alertsTitle,
  },
  {
    path: '/mrr',
    title: shellTexts.nav.mrr,
    access: 'public',
    menu: { label: shellTexts.nav.mrr },
  },
  {
    path: '/multihydro',
    title: shellTexts.nav.simulation,
    menu: { label: shellTexts.nav.simulation },
  },
  {
    path: '/multihydro/comparer',
    title: simulationTexts.compareTitle,
  },
  {
    path: '/multihydro/batterie',
    title: simulationTexts.batteryTitle,
  },
  {
    path: '/multihydro/batterie/:id',
    title: simulationTexts.batteryTitle,
  },
  {
    path: '/multihydro/calage',
    title: simulationTexts.calibrationTitle,
  },
  {
    path: '/multihydro/form',
    title: simulationTexts.formTitle,
  },
  {
    path: '/multihydro/case-study/form/:caseStudyId',
    title: simulationTexts.formTitle,
    access: 'public',
  },
  {
    path: '/multihydro/:jobId',
    title: simulationTexts.detailTitle,
    access: 'public',
  },
  {
    path: '/multihydro/:jobId/espace',
    title: simulationTexts.workspaceTitle,
    layout: 'stage',
  },
  {
    path: '/bassins',
    title: simulationTexts.catchmentsTitle,
  },
  {
    path: '/bassins/nouveau',
    title: builderTitles.drafts,
  },
  {
    path: '/bassins/nouveau/:draft',
    title: builderTitles.draft,
  },
  {
    path: '/reseaux',
    title: shellTexts.nav.networks,
    menu: { label: shellTexts.nav.networks },
  },
  {
    path: '/reseaux/:id',
    title: shellTexts.nav.networks,
  },
  {
    path: '/rapport',
    title: reportTitle,
    bare: true,
  },
  {
    path: '/rapport/simulation/:jobId',
    title: reportTitle,
    bare: true,
  },
  {
    path: '/a-propos',
    title: shellTexts.nav.about,
    access: 'public',
    menu: { label: shellTexts.nav.about },
  },
  {
    path: '/aide',
    title: shellTexts.guide,
    access: 'public',
    bare: true,
  },
  {
    path: '/aide/:page',
    title: shellTexts.guide,
    access: 'public',
    bare: true,
  },
  {
    path: '/admin',
    title: shellTexts.nav.admin,
    menu: { label: shellTexts.nav.admin, managerOnly: true },
  },
  {
    path: '/compte',
    title: shellTexts.nav.account,
    access: 'public',
  },
]
