import { LINK_PATH_MAX } from '@radx/contracts'
import { isScreen } from '../http/web.ts'

const BASE = 'http://own.invalid'

/**
 * A path of a screen of this site, in the form that a browser would give it; null for everything else: other hosts in
 * whatever spelling, control characters, calls and files of this site, links to links.
 */
export function ownPath(path: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (path.length > LINK_PATH_MAX || !/^\/(?![/\\])/.test(path) || /[\u0000-\u001f\u007f\\]/.test(path))
    return null
  if (!URL.canParse(path, BASE)) return null
  const { origin, pathname, search, hash } = new URL(path, BASE)
  // `/..//other.example` loses its dots on the way.
  if (origin !== BASE || pathname.startsWith('//')) return null
  let decoded: string
  try {
    decoded = decodeURIComponent(pathname)
  } catch {
    return null
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above, written in percent
  if (/[\u0000-\u001f\u007f\\]/.test(decoded) || decoded.includes('//')) return null
  const normal = pathname + search + hash
  return isScreen(pathname) && normal.length <= LINK_PATH_MAX ? normal : null
}
