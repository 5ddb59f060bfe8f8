import { type ComponentType, Suspense, useMemo } from 'react'
import { matchPath, Route, Routes, useLocation } from 'react-router'
import { shellTexts } from '../texts/shell.ts'
import { ScreenErrorBoundary } from './ErrorBoundary.tsx'
import { NotFoundPage } from './ErrorPage.tsx'
import classes from './part.module.css'
import { part } from './part.tsx'
import { type Screen, ShownScreen } from './screen.ts'
import { SCREENS } from './screens.ts'

const RequireAuth = part(() => import('./auth/RequireAuth.tsx'), 'screen')

/** Where a screen's component is. */
const loadOf = async (screen: Screen) =>
  screen.load?.() ?? (await import('./later-screens.ts')).LATER_SCREENS[screen.path]()

/** A screen and the component library's root around it. */
async function withLibrary(screen: Screen): Promise<{ default: ComponentType }> {
  const [{ default: Content }, { MantineRoot }] = await Promise.all([
    loadOf(screen),
    import('../ui/MantineRoot.tsx'),
  ])
  return {
    default: () => (
      <MantineRoot>
        <Content />
      </MantineRoot>
    ),
  }
}

/** The shape of a screen that is on its way. */
function ScreenShape({ screen }: { screen: Screen }) {
  return (
    <div className={classes.shape} aria-busy="true">
      <h1>{screen.title}</h1>
      <p role="status">{shellTexts.loading}</p>
      <div />
      <div />
    </div>
  )
}

function ScreenRoute({ screen }: { screen: Screen }) {
  const Component = useMemo(
    () => part(() => (screen.bare ? loadOf(screen) : withLibrary(screen)), 'screen'),
    [screen],
  )
  const content = (
    <ScreenErrorBoundary key={screen.path}>
      <Suspense fallback={<ScreenShape screen={screen} />}>
        <ShownScreen value={screen}>
          <Component />
        </ShownScreen>
      </Suspense>
    </ScreenErrorBoundary>
  )
  if (screen.access === 'public') return content
  return (
    <Suspense fallback={<ScreenShape screen={screen} />}>
      <RequireAuth key={screen.path}>{content}</RequireAuth>
    </Suspense>
  )
}

/** The screen whose path fits the address; null on an unknown one. */
export function useScreen(): Screen | null {
  const { pathname } = useLocation()
  return SCREENS.find((screen) => matchPath(screen.path, pathname) !== null) ?? null
}

export function AppRoutes() {
  return (
    <Routes>
      {SCREENS.map((screen) => (
        <Route key={screen.path} path={screen.path} element={<ScreenRoute screen={screen} />} />
      ))}
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  )
}
