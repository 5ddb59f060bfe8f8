import { create } from 'zustand'

export type ColorScheme = 'light' | 'dark'

/** Same key as public/theme-init.js. */
const KEY = 'radx-color-scheme'

function stored(): ColorScheme {
  try {
    return localStorage.getItem(KEY) === 'dark' ? 'dark' : 'light'
  } catch {
    return 'light'
  }
}

const useScheme = create<{ scheme: ColorScheme }>()(() => ({ scheme: stored() }))

/** The display mode; light unless the reader chose dark in this browser. */
export const useColorScheme = (): ColorScheme => useScheme((state) => state.scheme)

export function setColorScheme(scheme: ColorScheme): void {
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
  useScheme.setState({ scheme })
  try {
    localStorage.setItem(KEY, scheme)
  } catch {
    // Without storage the choice holds until the page is left.
  }
}
