import { type RefObject, useEffect, useState } from 'react'

/** Size of an element in pixels of the page, as it changes. */
export function useSize(element: RefObject<Element | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const observer = new ResizeObserver(([{ contentRect }]) =>
      setSize({ width: contentRect.width, height: contentRect.height }),
    )
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [element])
  return size
}
