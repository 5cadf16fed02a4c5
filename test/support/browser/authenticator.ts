// A passkey without hands: the virtual authenticator of Chromium, which confirms each request as a
// person would with a finger.
import type { Page } from 'playwright-core'
import { z } from 'zod'

export interface VirtualPasskeys {
  /** Makes one for this address; its id as base64url. */
  make(): Promise<string>
  /** Whether the next requests find a person who confirms. */
  confirms(does: boolean): Promise<void>
}

export async function virtualPasskeys(page: Page): Promise<VirtualPasskeys> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    make: async () => z.string().parse(await page.evaluate(makeOne)),
    async confirms(does) {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: does })
    },
  }
}

// Runs in the page, whose types are not those of tests.
const makeOne = `navigator.credentials.create({ publicKey: {
  challenge: new Uint8Array(32),
  rp: { name: 'Warrant' },
  user: { id: new Uint8Array(16), name: 'ann', displayName: 'ann' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
} }).then(({ id }) => id)`
