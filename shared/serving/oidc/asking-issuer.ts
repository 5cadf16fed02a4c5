// Requests to an issuer: over TLS unless it runs on this machine, never redirected, and with a
// bound on how long an answer may take and how long it may be.

const answerBytesMax = 262_144
const answerMsMax = 5_000

/** That it did not answer, or failed itself: the same may succeed later. */
class IssuerSilence extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'IssuerSilence'
  }
}

/** Whether that is why something failed. */
export function isSilence(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; at = at.cause) {
    if (at instanceof IssuerSilence) return true
    depth += 1
  }
  return false
}

/** Whether what is sent there cannot be read or changed on its way. */
export function isGuarded(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, username, password } = new URL(url)
  if (username !== '' || password !== '') return false
  if (protocol === 'https:') return true
  return protocol === 'http:' && /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])$/.test(hostname)
}

export interface AskingIssuer {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: URLSearchParams | null
}

/** The answer with its whole body. Throws what `isSilence` knows where there is none. */
export async function askIssuer(url: string, asking: AskingIssuer = {}): Promise<Response> {
  if (!isGuarded(url)) throw new Error('an address of the issuer has no TLS')
  const { method = 'GET', headers = {}, body = null } = asking
  const signal = AbortSignal.timeout(answerMsMax)
  const sent = fetch(url, { method, headers, body, redirect: 'manual', signal })
  const { answer, bytes } = await sent
    .then(async (got) => ({ answer: got, bytes: await bodyOf(got) }))
    .catch((cause: unknown) => {
      throw new IssuerSilence('the issuer does not answer', { cause })
    })
  if (answer.status >= 500) throw new IssuerSilence(`the issuer answers with ${answer.status}`)
  const hasNone = [204, 205, 304].includes(answer.status)
  return new Response(hasNone ? null : bytes, { status: answer.status, headers: answer.headers })
}

async function bodyOf(answer: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  const body: AsyncIterable<Uint8Array> | null = answer.body
  for await (const chunk of body ?? []) {
    length += chunk.length
    // Leaving the loop ends the answer.
    if (length > answerBytesMax) throw new Error('an answer of the issuer is too long')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
