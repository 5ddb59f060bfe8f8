import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** Does something when Back or Forward has led here: what moves by itself goes where the address says it stood. */
export function useReturn(go: () => void): void {
  const { key } = useLocation()
  const isReturn = useNavigationType() === 'POP'
  const latest = useRef(go)
  latest.current = go
  // biome-ignore lint/correctness/useExhaustiveDependencies: each return has a key of its own
  useEffect(() => {
    if (isReturn) latest.current()
  }, [key, isReturn])
}
