// Sets the stored display mode and time zone before the first paint; a file of its own because the content security
// policy forbids inline scripts.
try {
  const stored = localStorage.getItem('radx-color-scheme')
  document.documentElement.setAttribute('data-mantine-color-scheme', stored === 'dark' ? 'dark' : 'light')
  if (localStorage.getItem('radx-time') === 'utc') document.documentElement.dataset.utc = '1'
} catch {
  document.documentElement.setAttribute('data-mantine-color-scheme', 'light')
}
