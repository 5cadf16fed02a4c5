// The words of a warrant as it travels: what a token claims, what a delegate’s link may narrow,
// what a presentation shows, and why one is refused. Names are registered ones where there are any.
import { z } from 'zod'
import { Digest, Position } from '../values.ts'
import { later } from '../later.ts'

/** Seconds since 1970, as RFC 7519 has its dates. */
const Seconds = later(() => z.int().min(0).max(8_640_000_000_000))
/** 32 bytes in base64url, in the one spelling that has no spare bits set. */
const Bytes32 = later(() => z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/))
const Text = later(() => z.string().min(1).max(1024))
const JsonMap = later(() => z.record(z.string(), z.json()))

/** Whose key a presentation must be signed with: the RFC 7638 thumbprint. */
const HolderKey = later(() => z.strictObject({ jkt: Bytes32 }))

/** The public half of an Ed25519 key as a JWK. Readers ignore members that they do not know. */
export const Ed25519Jwk = later(() =>
  z.looseObject({
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: Bytes32,
    /** A private key that travels is no one’s alone. */
    d: z.never().exactOptional(),
  }),
)

/** One key of a set of keys. `iss` is ours: the principal of the catalog that signs with it. */
export const IssuerJwk = later(() =>
  Ed25519Jwk.extend({
    kid: Text,
    alg: z.enum(['EdDSA', 'Ed25519']).exactOptional(),
    use: z.literal('sig').exactOptional(),
    iss: Text.exactOptional(),
  }),
)
export type IssuerJwk = z.infer<typeof IssuerJwk>

/** A set of keys as RFC 7517 has it; other keys in it are passed over. */
export const KeySet = later(() => z.looseObject({ keys: z.array(z.unknown()).max(1024) }))

/** Who acts for whom: the present actor outermost (RFC 8693, 4.1). */
export interface Actor {
  readonly sub: string
  readonly act?: Actor | undefined
}

export const Actor: z.ZodType<Actor> = later(() =>
  z.lazy(() => z.strictObject({ sub: Text, act: Actor.optional() })),
)

/** What a token claims. Each claim follows from the log. */
export const WarrantClaims = later(() =>
  z.strictObject({
    /** The principal of the catalog whose key signed. */
    iss: Text,
    /** The agent. */
    sub: Text,
    aud: Text,
    /** The name of the verdict. */
    jti: Text,
    iat: Seconds,
    nbf: Seconds,
    /** The last moment of the warrant, rounded down. */
    exp: Seconds,
    /** Absent where the agent has no key. */
    cnf: HolderKey.optional(),
    act: Actor.optional(),
    warrant: z.strictObject({
      capability: Text,
      version: Text.optional(),
      /** Of the arguments as received. */
      args: Digest,
      /** Of the arguments as they will be executed. */
      executed: Digest,
      constraints: JsonMap,
      scope: JsonMap,
      /** Of the verdict. */
      position: Position,
      /** The identity of the log. */
      log: Digest,
      cell: z.int().min(0).max(255).optional(),
      realm: Text,
    }),
  }),
)
export type WarrantClaims = z.infer<typeof WarrantClaims>

/** What a holder leaves to a delegate. No other constraint can be narrowed. */
export const Narrowing = later(() =>
  z.strictObject({
    allowed_fields: z.array(z.string().max(256)).min(1).max(1024).optional(),
    max_rows: z.int().min(0).optional(),
  }),
)
export type Narrowing = z.infer<typeof Narrowing>

export const LinkClaims = later(() =>
  z.strictObject({
    /** SHA-256 of the token that is narrowed, or of the link before. */
    parent: Bytes32,
    /** The delegate’s key. */
    cnf: HolderKey,
    /** What the delegate is called. No right follows from it. */
    sub: Text.optional(),
    iat: Seconds,
    exp: Seconds.optional(),
    constraints: Narrowing.optional(),
  }),
)
export type LinkClaims = z.infer<typeof LinkClaims>

/** A DPoP proof (RFC 9449). Others may say more in theirs. */
export const DpopClaims = later(() =>
  z.looseObject({
    jti: z.string().min(1).max(256),
    htm: z.string().min(1).max(64),
    htu: z.string().min(1).max(2048),
    iat: Seconds,
    /** Absent where no token goes with it. */
    ath: Bytes32.exactOptional(),
  }),
)

/** Why a token, or its presentation, is refused: in the order in which they are looked at. */
export const tokenRefusals = [
  'token_too_large',
  'token_malformed',
  'token_algorithm',
  'token_type',
  'token_key_unknown',
  'token_signature',
  'token_claims',
  'token_issuer',
  'token_audience',
  'token_log',
  'token_not_yet',
  'token_expired',
  'chain_too_long',
  'chain_malformed',
  'chain_parent',
  'chain_key',
  'chain_signature',
  'chain_not_yet',
  'chain_expired',
  'chain_nothing_left',
  'holder_missing',
  'holder_other',
  'dpop_malformed',
  'dpop_key',
  'dpop_signature',
  'dpop_token',
  'dpop_target',
  'dpop_stale',
] as const

export type TokenRefusal = (typeof tokenRefusals)[number]
