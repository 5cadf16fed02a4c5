// The console for the one person of `warrant dev`. What lets them in and what signs for them stand
// in the fragment of a link that only the terminal shows: browsers send that to no server, and it
// is written to no file. The key of the page is drawn at each start, and counts until the end.
import { generateKeyPairSync } from 'node:crypto'
import { change } from '#authoring/change'
import { assert } from '#record/fault'
import type { Runtime } from '#runtime/engine/runtime'
import type { Signer } from '#runtime/keys/keys'
import { madeLink } from '#serving/people/one-time-link'
import type { Listen } from '#serving/listening'
import { pagesOf } from '#console/pages'
import { serveConsole } from '#console/serving'
import type { LookAround } from '#console/operating/findings-route'

export interface DevPage {
  /** A link that lets its person in once, for a while. */
  link(): string
  close(drainMs: number): Promise<void>
}

const linkMs = 30 * 60_000

export async function devPage(
  runtime: Runtime,
  { signer, listen, look }: { readonly signer: Signer; readonly listen: Listen; look: LookAround },
): Promise<DevPage> {
  const { d: seed, x: point } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  assert(seed !== undefined && point !== undefined, 'such a key has two halves')
  const publicKey = `ed25519:${point}`
  const files = await pagesOf()
  const server = await serveConsole({ runtimes: [runtime], files, listen, look })
  await bindKeys(runtime, signer, (keys) => [...keys, publicKey])
  return {
    link() {
      const madeAt = runtime.clock.now()
      const secret = madeLink({
        for: 'sign_in',
        person: signer.id,
        by: signer.id,
        origin: new URL(server.url).origin,
        madeAt,
        until: madeAt + linkMs,
        log: runtime.follower.state.log,
        privateKey: signer.privateKey,
      })
      return `${server.url}/#dev=${secret}/${seed}/${point}`
    },
    async close(drainMs) {
      await server.close(drainMs)
      await bindKeys(runtime, signer, (keys) => keys.filter((key) => key !== publicKey))
    },
  }
}

/** Signed by the key that began the log. */
async function bindKeys(
  runtime: Runtime,
  signer: Signer,
  keysOf: (keys: readonly string[]) => string[],
): Promise<void> {
  const kind = 'catalog' as const
  await change(
    runtime,
    {
      kind,
      operations: ({ principals }) => {
        const entry = principals.get(signer.id)
        assert(entry !== undefined, 'who signs is in the catalog')
        return [
          { op: 'put', collection: 'principals', entry: { ...entry, keys: keysOf(entry.keys) } },
        ]
      },
    },
    signer,
    { note: 'the page of warrant dev' },
  )
}
