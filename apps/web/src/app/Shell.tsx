import { Suspense, useEffect, useRef } from 'react'
import { shellTexts } from '../texts/shell.ts'
import { extrasMayLoad } from '../ui/load-order.ts'
import { useConsent } from './consent.ts'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { useModal } from './modals.ts'
import { part } from './part.tsx'
import { AppRoutes, useScreen } from './routes.tsx'
import classes from './Shell.module.css'
import { useTour } from './tour.ts'

// After what the screen shows first.
const Extras = part(() => extrasMayLoad().then(() => import('./Extras.tsx')), 'nothing')
const Tour = part(() => extrasMayLoad().then(() => import('../features/tour/Tour.tsx')), 'nothing')
const MessageModal = part(() => import('./MessageModal.tsx'), 'floating')

export function Shell() {
  const screen = useScreen()
  const hasMessage = useModal((state) => state.message !== null)
  // One question at a time: that of cookies comes first.
  const chosen = useConsent(({ display, allowCookie }) => display === 'none' && allowCookie !== null)
  const tourWaits = useTour(({ waits }) => waits)
  useEffect(() => {
    if (screen) document.title = screen.title
  }, [screen])
  const shown = useRef(screen)
  useEffect(() => {
    const isNew = shown.current !== screen
    shown.current = screen
    // What led here may have gone with the screen before, and the focus with it.
    if (isNew && document.activeElement === document.body)
      document.getElementById('contenu')?.focus({ preventScroll: true })
  }, [screen])
  return (
    <div className={classes.root} data-layout={screen?.layout ?? 'page'}>
      <a className={classes.skip} href="#contenu">
        {shellTexts.skipToContent}
      </a>
      <Header />
      <main id="contenu" className={classes.main} tabIndex={-1}>
        <AppRoutes />
      </main>
      <Footer />
      <Suspense>
        <Extras />
      </Suspense>
      {tourWaits && chosen && screen?.path === '/' && (
        <Suspense>
          <Tour />
        </Suspense>
      )}
      {hasMessage && (
        <Suspense>
          <MessageModal />
        </Suspense>
      )}
    </div>
  )
}
