// Sets the stored display mode before the first paint; a file of its own because the content security
// policy forbids inline scripts.
try {
  const stored = localStorage.getItem('radx-color-scheme')
  document.documentElement.setAttribute('data-mantine-color-scheme', stored === 'dark' ? 'dark' : 'light')
} catch {
  document.documentElement.setAttribute('data-mantine-color-scheme', 'light')
}
