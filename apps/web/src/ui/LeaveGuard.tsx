import { Button, Group } from '@mantine/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { holdHistory } from '../app/history-gate.ts'
import { leaveTexts as texts } from '../texts/leave.ts'
import { Dialog } from './Dialog.tsx'
import { useUnload } from './useUnload.ts'

interface Props {
  /** Something would be lost, or left half done. */
  active: boolean
  title: string
  text: string
}

/** Place of the current entry among those of this page in the browser's history, as the router counts them. */
const placeOf = (state: unknown): number | null => {
  const { idx } = (state ?? {}) as { idx?: unknown }
  return typeof idx === 'number' ? idx : null
}

/**
 * Asks before the reader leaves the page by a link, by the browser's buttons or by closing it. Other addresses of the
 * same path are not leaving.
 */
export function LeaveGuard({ active, title, text }: Props) {
  const [go, setGo] = useState<(() => void) | null>(null)
  const bypass = useRef(false)
  const ask = useCallback((leave: () => void) => {
    setGo(() => () => {
      bypass.current = true
      leave()
    })
  }, [])
  useUnload(active && go === null)
  useLinks(active, bypass, ask)
  useHistory(active, bypass, ask)
  const close = () => setGo(null)
  return (
    <Dialog opened={go !== null} onClose={close} title={title} size="md">
      <p>{text}</p>
      <Group justify="flex-end" mt="md">
        <Button
          variant="default"
          onClick={() => {
            close()
            go?.()
          }}
        >
          {texts.leave}
        </Button>
        <Button data-autofocus onClick={close}>
          {texts.stay}
        </Button>
      </Group>
    </Dialog>
  )
}

type Bypass = { current: boolean }
type Ask = (leave: () => void) => void

function useLinks(active: boolean, bypass: Bypass, ask: Ask): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (!active) return
    const clicked = (event: MouseEvent) => {
      if (bypass.current || event.button !== 0) return
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (!link || link.hasAttribute('download') || (link.target !== '' && link.target !== '_self')) return
      // Another site: the browser asks itself.
      if (link.origin !== location.origin || link.pathname === location.pathname) return
      event.preventDefault()
      event.stopPropagation()
      ask(() => void navigate(`${link.pathname}${link.search}${link.hash}`))
    }
    document.addEventListener('click', clicked, true)
    return () => document.removeEventListener('click', clicked, true)
  }, [active, bypass, ask, navigate])
}

/** The browser has moved when it tells so: it is taken back, and sent on when the reader says so. */
function useHistory(active: boolean, bypass: Bypass, ask: Ask): void {
  const { pathname, key } = useLocation()
  const at = useRef<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again with every entry
  useEffect(() => {
    at.current = placeOf(history.state)
  }, [key])
  useEffect(() => {
    if (!active) return
    let returning = false
    const moved = (event: PopStateEvent) => {
      if (returning) {
        returning = false
        event.stopImmediatePropagation()
        return
      }
      const to = placeOf(event.state)
      if (bypass.current || location.pathname === pathname || to === null || at.current === null) return
      event.stopImmediatePropagation()
      const delta = to - at.current
      returning = true
      history.go(-delta)
      ask(() => history.go(delta))
    }
    return holdHistory(moved)
  }, [active, pathname, bypass, ask])
}
