import { expect, test } from 'vitest'
import { reportUrl } from './matomo.ts'

const page = {
  href: 'https://radx.example/analyse?p=dpsri&s=2026-03-01T00:00Z#carte',
  title: 'Analyse',
  referrer: '',
  screen: '1440x900',
}
const query = (target: string, event: Parameters<typeof reportUrl>[2]) => {
  const url = new URL(reportUrl({ url: target, siteId: '7' }, '0123456789abcdef', event, page))
  return { address: url.origin + url.pathname, ...Object.fromEntries(url.searchParams) }
}

test('[COOKIE-14] an event becomes a report of the measurement service, without the query of the page', () => {
  expect(
    query('https://stats.example/', {
      type: 'event',
      category: 'product',
      action: 'select',
      name: 'sri',
      value: 1,
    }),
  ).toEqual({
    address: 'https://stats.example/matomo.php',
    idsite: '7',
    rec: '1',
    apiv: '1',
    send_image: '0',
    _id: '0123456789abcdef',
    url: 'https://radx.example/analyse',
    action_name: 'Analyse',
    res: '1440x900',
    e_c: 'product',
    e_a: 'select',
    e_n: 'sri',
    e_v: '1',
  })
})

test('a page view carries no event, and a service below a path or with its script named is reached', () => {
  const view = { type: 'page', category: 'page', action: 'view', value: 1 } as const
  expect(query('https://example.org/stats/', view)).toMatchObject({
    address: 'https://example.org/stats/matomo.php',
  })
  expect(query('https://example.org/m/matomo.php', view)).toMatchObject({
    address: 'https://example.org/m/matomo.php',
  })
  expect(query('https://stats.example/', view)).not.toHaveProperty('e_c')
})
