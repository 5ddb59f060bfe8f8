import { useEffect, useState } from 'react'
import { countdownText } from './countdown.ts'

/**
 * What is left of the expected loading time, HH:mm:ss; null hides it.
 * @param slides number of images; null while unknown
 * @param sinceMs when the count came, in the browser's time
 */
export function useCountdown(slides: number | null, sinceMs: number): string | null {
  const [now, setNow] = useState(() => Date.now())
  const text = slides === null ? null : countdownText(slides, Math.max(0, (now - sinceMs) / 1000))
  const running = text !== null
  useEffect(() => {
    setNow(Date.now())
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [running])
  return text
}
