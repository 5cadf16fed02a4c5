// A passkey without hands: the virtual authenticator of Chromium, which confirms each request as a
// person would with a finger.
import type { Page } from 'playwright-core'
import { z } from 'zod'
import type { SoftPasskey } from '../people/authenticator.ts'

export interface VirtualPasskeys {
  /** Makes one for this address; its id as base64url. */
  make(): Promise<string>
  /** Takes over one that was made before, for the name of this machine. */
  hold(soft: SoftPasskey): Promise<void>
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
    async hold({ passkey, privateKey }) {
      const credential = {
        credentialId: Buffer.from(passkey.id, 'base64url').toString('base64'),
        isResidentCredential: false,
        rpId: 'localhost',
        privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
        signCount: 0,
      }
      await devtools.send('WebAuthn.addCredential', { authenticatorId, credential })
    },
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
