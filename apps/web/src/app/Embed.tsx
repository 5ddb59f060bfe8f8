import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense } from 'react'
import { BrowserRouter } from 'react-router'
import EmbedScreen from '../features/embed/EmbedScreen.tsx'
import { embedTexts } from '../texts/embed.ts'
import { ScreenErrorBoundary } from './ErrorBoundary.tsx'
import { queryClient } from './query.ts'

/** The read-only view in place of the application: it starts no session, and so has none to use. */
export default function Embed() {
  return (
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <ScreenErrorBoundary>
          <Suspense fallback={<p role="status">{embedTexts.loading}</p>}>
            <EmbedScreen />
          </Suspense>
        </ScreenErrorBoundary>
      </BrowserRouter>
    </QueryClientProvider>
  )
}
