import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core'

// One accent, a deep blue-green; everything else is neutral so that the intensity classes stay the
// only loud colours (see theme.css for the neutral scale of both modes).
const accent: MantineColorsTuple = [
  '#e8f4f4',
  '#d3e6e7',
  '#a5cdd0',
  '#74b3b8',
  '#5cbcc2',
  '#2f8c94',
  '#1b727a',
  '#0b5a63',
  '#084a52',
  '#043a40',
]

const dark: MantineColorsTuple = [
  '#dfe6e7',
  '#c3cdcf',
  '#94a3a8',
  '#5d6b70',
  '#364246',
  '#232c2f',
  '#161d1f',
  '#0f1415',
  '#0b0f10',
  '#090c0d',
]

export const theme = createTheme({
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', Menlo, monospace",
  headings: { fontFamily: "'Inter Variable', system-ui, sans-serif", fontWeight: '600' },
  colors: { radx: accent, dark },
  primaryColor: 'radx',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  // The library takes the light mode's shade for its choice; the text must fit the shade of the mode.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input)
    const isPrimary = (input.color ?? input.theme.primaryColor) === input.theme.primaryColor
    return input.variant === 'filled' && isPrimary
      ? { ...colors, color: 'var(--mantine-primary-color-contrast)' }
      : colors
  },
  luminanceThreshold: 0.32,
  defaultRadius: 8,
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  components: {
    Tooltip: { defaultProps: { openDelay: 300, withArrow: false, fz: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 36 } },
    // The arrow of a list is drawn, and no picture to be told.
    NativeSelect: { defaultProps: { rightSectionProps: { 'aria-hidden': true } } },
    Modal: { defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Fermer' } } },
  },
})

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': 'var(--rx-surface)',
    '--mantine-color-text': 'var(--rx-text)',
    '--mantine-color-dimmed': 'var(--rx-dim)',
    '--mantine-color-default-border': 'var(--rx-line)',
    '--mantine-color-placeholder': 'var(--rx-dim)',
    '--mantine-color-error': 'var(--rx-bad)',
  },
  dark: {
    '--mantine-color-body': 'var(--rx-surface)',
    '--mantine-color-text': 'var(--rx-text)',
    '--mantine-color-dimmed': 'var(--rx-dim)',
    '--mantine-color-default-border': 'var(--rx-line)',
    '--mantine-color-placeholder': 'var(--rx-dim)',
    '--mantine-color-error': 'var(--rx-bad)',
  },
})
