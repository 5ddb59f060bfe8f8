import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles.layer.css'
import './app/theme.css'
import { type ComponentType, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { startSession } from './app/auth/session.ts'
import { openHistoryGate } from './app/history-gate.ts'
import { queryClient } from './app/query.ts'
import { siteQuery } from './app/site.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
const shown = createRoot(root)
// Asked for before anything renders, since every screen waits for it.
const start = (Content: ComponentType) => {
  void queryClient.prefetchQuery(siteQuery)
  shown.render(
    <StrictMode>
      <Content />
    </StrictMode>,
  )
}
// In a frame of another site nobody is signed in, whoever sits before it.
if (location.pathname.startsWith('/embed/')) import('./app/Embed.tsx').then((embed) => start(embed.default))
else {
  openHistoryGate()
  // Before anything renders: protected screens look at it at once. Its end forgets answers.
  startSession()
  start(App)
}
