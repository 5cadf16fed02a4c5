// Verifies tokens as any program could: by public keys, a clock and nothing else. With `--jwks` no
// log is opened.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { systemClock } from '#system/clock'
import { fileProblem } from '#system/file-problem'
import { Fault } from '#record/fault'
import { readJson } from '#record/json'
import { audienceOf } from '#messages/warrants/claims'
import { jwksOf, readJwks, type Jwks } from '#messages/warrants/jwk'
import { presentedCharactersMax } from '#messages/warrants/limits'
import { verifyToken, verifyWarrant } from '#messages/warrants/verify'
import { tokenText } from '#present/story/token-text'
import { exitCodes } from '#schemas/faults/exit'
import { judgeLines } from '#cli/terminal/judge-lines'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { toned } from '#cli/terminal/line'

interface VerifyOptions extends GlobalOptions {
  readonly jwks?: string
  readonly audience?: string
  readonly dpop?: string
  readonly method?: string
  readonly url?: string
  readonly principal?: string
}

const Line = z.strictObject({
  token: z.string(),
  dpop: z.string().exactOptional(),
  method: z.string().exactOptional(),
  url: z.string().exactOptional(),
  principal: z.string().exactOptional(),
  audience: z.string().exactOptional(),
  now: z.iso.datetime({ offset: true }).exactOptional(),
})
type Line = z.infer<typeof Line>

export async function verifyTokens(
  token: string | undefined,
  options: VerifyOptions,
): Promise<number> {
  const jwks = await keysFor(options)
  const { audience = audienceOf(options.realm) } = options
  if (token === undefined) {
    const answer = (value: unknown): object => {
      const line = Line.safeParse(value)
      return line.success ? verified(line.data, { jwks, audience }) : invalid(line.error)
    }
    const lineBytesMax = presentedCharactersMax * 2
    return judgeLines(undefined, { lineBytesMax, inexact: 'change', answer, failing: ['refused'] })
  }
  const { dpop, method, url, principal } = options
  const found = verified(
    {
      token,
      ...(dpop !== undefined && { dpop }),
      ...(method !== undefined && { method }),
      ...(url !== undefined && { url }),
      ...(principal !== undefined && { principal }),
    },
    { jwks, audience },
  )
  if (options.json === true) await printJson(found)
  else if (found.outcome === 'refused') await print([toned('bad', tokenText(found.code))])
  else await print(JSON.stringify(found, null, 2).split('\n'))
  return found.outcome === 'refused' ? exitCodes.denied : exitCodes.yes
}

function invalid(error: z.ZodError) {
  const [issue] = error.issues
  const message = `/${issue?.path.join('/') ?? ''} ${issue?.message ?? 'cannot be read'}`
  return { error: { code: 'line_invalid' as const, message } }
}

/** `holder` says whether it was shown who holds it. */
function verified(
  { token, dpop, method, url, principal, now, ...line }: Line,
  of: { readonly jwks: Jwks; readonly audience: string },
) {
  const given = {
    token,
    jwks: of.jwks,
    audience: line.audience ?? of.audience,
    now: now === undefined ? systemClock.now() : Date.parse(now),
  }
  const isPresented = dpop !== undefined || principal !== undefined
  const presentation = {
    ...(dpop !== undefined && { dpop }),
    ...(principal !== undefined && { principal }),
    ...(method !== undefined && url !== undefined && { target: { method, url } }),
  }
  const found = isPresented ? verifyWarrant({ ...given, presentation }) : verifyToken(given)
  if (!found.ok) return { outcome: 'refused' as const, code: found.code }
  const { claims, chain, constraints, exp } = found
  const holder = isPresented ? 'shown' : 'not_checked'
  return { outcome: 'sound' as const, holder, claims, chain, constraints, exp }
}

async function keysFor(options: VerifyOptions): Promise<Jwks> {
  const { jwks: file } = options
  if (file === undefined) {
    return withRuntime(options, { reads: true }, ({ follower }) =>
      Promise.resolve(jwksOf(follower.state.catalog)),
    )
  }
  const read = readJson(await bytesOf(file), {
    bytesMax: 16 * 1024 * 1024,
    depthMax: 16,
    inexact: 'change',
  })
  const jwks = read.ok ? readJwks(read.value) : null
  if (jwks !== null) return jwks
  throw new Fault(
    'input_unreadable',
    `\`${file}\` is no set of keys: give what \`keys jwks\` prints`,
  )
}

async function bytesOf(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file)
  } catch (cause) {
    const why = fileProblem(cause, 'it cannot be read')
    throw new Fault('input_unreadable', `\`${file}\`: ${why}`, { cause })
  }
}
