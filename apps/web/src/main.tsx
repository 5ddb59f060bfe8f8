import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles.layer.css'
import './app/theme.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { startSession } from './app/auth/session.ts'
import { openHistoryGate } from './app/history-gate.ts'
import { queryClient } from './app/query.ts'
import { siteQuery } from './app/site.ts'

openHistoryGate()
const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
// Before anything renders: protected screens look at it at once.
startSession()
// Asked for before anything renders, since every screen waits for it; not before the session, whose end forgets
// answers.
void queryClient.prefetchQuery(siteQuery)
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
