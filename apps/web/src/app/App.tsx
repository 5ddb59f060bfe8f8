import { QueryClientProvider } from '@tanstack/react-query'
import { BrowserRouter } from 'react-router'
import { ScreenErrorBoundary } from './ErrorBoundary.tsx'
import { queryClient } from './query.ts'
import { Shell } from './Shell.tsx'
import { siteQuery } from './site.ts'

// Asked for before anything renders: every screen waits for it.
void queryClient.prefetchQuery(siteQuery)

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <ScreenErrorBoundary>
          <Shell />
        </ScreenErrorBoundary>
      </BrowserRouter>
    </QueryClientProvider>
  )
}
