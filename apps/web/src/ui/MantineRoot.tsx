import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { useColorScheme } from '../app/color-scheme.ts'
import { cssVariables, theme } from '../app/theme.ts'

/**
 * What the component library's parts need around them. It stands as low as it can, because the first page
 * shows without the library.
 */
export function MantineRoot({ children }: { children: ReactNode }) {
  const scheme = useColorScheme()
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme={scheme}>
      {children}
    </MantineProvider>
  )
}
