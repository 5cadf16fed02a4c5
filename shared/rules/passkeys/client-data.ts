// What a browser says in what a passkey signs (WebAuthn, section 5.8.1): what for, which challenge,
// and which page asked.
import { z } from 'zod'
import { readJson } from '#record/json'

export type ClientDataRefusal =
  | 'client_data_malformed'
  | 'client_data_type'
  | 'challenge_mismatch'
  | 'cross_origin'

const ClientData = z.looseObject({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
  topOrigin: z.unknown().optional(),
})

const limits = { bytesMax: 4_096, depthMax: 8 }

/** The page that asked, or why it is not an answer to just this challenge. */
export function clientOrigin(
  bytes: Uint8Array,
  {
    type,
    challenge,
  }: { readonly type: 'webauthn.get' | 'webauthn.create'; readonly challenge: string },
): { readonly origin: string } | { readonly refused: ClientDataRefusal } {
  const reading = readJson(bytes, limits)
  const parsed = ClientData.safeParse(reading.ok ? reading.value : null)
  if (!parsed.success) return { refused: 'client_data_malformed' }
  const { data } = parsed
  if (data.type !== type) return { refused: 'client_data_type' }
  if (data.challenge !== challenge) return { refused: 'challenge_mismatch' }
  // Inside the page of another one, who looks at it cannot know what is asked.
  if (data.crossOrigin === true || data.topOrigin !== undefined) return { refused: 'cross_origin' }
  return { origin: data.origin }
}
