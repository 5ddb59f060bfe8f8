import type { AddressInfo } from 'node:net'
import type { Site } from '@radx/contracts/site'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Deps } from '../../apps/server/src/http/app.ts'
import {
  type AccountServer,
  passwordOf,
  startAccountServer,
} from '../../apps/server/src/testing/account-server.ts'
import { testDeps } from '../../apps/server/src/testing/deps.ts'
import { axe } from './support.ts'

export interface BrowserServer extends AccountServer {
  url: string
}

/** The product's own server with accounts and the built web application, listening on the loopback. */
export async function startBrowserServer(
  site: Partial<Site> = {},
  overrides: Partial<Deps> = {},
  env: Record<string, string> = {},
): Promise<BrowserServer> {
  const server = await startAccountServer(
    { DEMO: '0', ...env },
    { ...overrides, site: { ...(await testDeps()).site, tiles: { kind: 'none' }, ...site } },
  )
  // The browser's time is real, so the server's is too.
  server.clock.now = () => Date.now()
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.address() as AddressInfo
  return { ...server, url: `http://127.0.0.1:${port}` }
}

/** Fills in the form of /compte, where the page must be. */
export async function signIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Identifiant').fill(name)
  await page.getByLabel('Mot de passe', { exact: true }).fill(passwordOf(name))
  await page.getByRole('button', { name: 'Connexion', exact: true }).click()
}

export const signedIn = (page: Page) => page.getByRole('button', { name: 'Déconnexion' })

/** Holds within a time that a busy machine keeps, too. */
export const eventually = <T>(look: () => T) => expect.poll(look)

/**
 * Gathers faults of a page at both widths and in both modes: of accessibility, and what is wider than the window. The page
 * is left as it was, with what was typed and where the focus is.
 */
export async function look(page: Page, what: string, faults: string[]): Promise<void> {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ]) {
    await page.setViewportSize({ width, height })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (wide > 0) faults.push(`${what} at ${width} is ${wide} px too wide`)
    for (const scheme of ['light', 'dark'] as const) {
      await showMode(page, scheme)
      const looking = axe(page)
      // The other mode has the same document in other colours.
      if (scheme === 'dark') looking.withRules(['color-contrast'])
      const { violations } = await looking.analyze()
      faults.push(...violations.map(({ id, nodes }) => `${what} ${width} ${scheme} ${id}: ${nodes[0].html}`))
    }
    await showMode(page, 'light')
  }
}

/** As the button of the header does it, without taking the focus; colours do not fade. */
const showMode = (page: Page, scheme: 'light' | 'dark') =>
  page.evaluate((mode) => {
    document.documentElement.setAttribute('data-mantine-color-scheme', mode)
    for (const fading of document.getAnimations()) if (fading instanceof CSSTransition) fading.finish()
  }, scheme)

/** Gives the page an authenticator that says yes to everything, as a finger on a key does. */
export async function giveAuthenticator(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
