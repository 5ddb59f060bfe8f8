import { QueryClientProvider } from '@tanstack/react-query'
import { BrowserRouter } from 'react-router'
import { ScreenErrorBoundary } from './ErrorBoundary.tsx'
import { queryClient } from './query.ts'
import { Shell } from './Shell.tsx'

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
