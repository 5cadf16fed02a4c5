// The small values that the words of several kinds of facts are made of.
import { z } from 'zod'
import { later } from './later.ts'

/** An expression in CEL that comes to a bool. */
export const When = later(() => z.string().min(1).max(2000))

/** A name, an identifier, a member of an object. */
export const ShortText = later(() => z.string().min(1).max(256))

/** What a door is called, by which the catalog assigns it. */
export const DoorName = later(() => z.string().regex(/^[a-z][a-z0-9-]{0,31}$/))

/** The last one that a date can be. */
export const instantMax = 8_640_000_000_000_000

export const Digest = later(() => z.string().regex(/^sha256:[0-9a-f]{64}$/))
export const Position = later(() => z.int().min(1))

/** 64 bytes as base64url without padding, in the one spelling that has no bits left over. */
const bytes64Pattern = /^[A-Za-z0-9_-]{85}[AQgw]$/

/** Which key signed, and what it made of the content, the log and the name. */
export const KeySignature = later(() =>
  z.strictObject({
    format: z.literal('ed25519'),
    key: z
      .string()
      .describe(
        'Not the public key but its id: base64url of the first 12 bytes of the SHA-256 of its ' +
          'spelling in the catalog, `ed25519:` and base64url of its 32 bytes',
      ),
    value: z.string().regex(bytes64Pattern).describe('Of canonical `{data, log, name}`, base64url'),
  }),
)
export type KeySignature = z.infer<typeof KeySignature>

/** base64url without padding, in the one spelling that has no bits left over. */
const bytesPattern =
  /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$/

/** Some bytes as base64url, one at least and at most so many. */
export function bytesText(bytesMax: number) {
  return z
    .string()
    .min(2)
    .max(Math.ceil((bytesMax * 4) / 3))
    .regex(bytesPattern)
}

/** What an authenticator calls a credential. */
export const CredentialId = later(() => bytesText(1_023))

/**
 * What a passkey made of them: an assertion whose challenge is the SHA-256 of the bytes that a key
 * would have signed.
 */
export const PasskeySignature = later(() =>
  z.strictObject({
    format: z.literal('webauthn'),
    credential: CredentialId,
    /** As the browser wrote it, and what the authenticator says of itself: both are signed. */
    clientData: bytesText(4_096),
    authenticatorData: bytesText(2_048),
    value: bytesText(1_024),
  }),
)
export type PasskeySignature = z.infer<typeof PasskeySignature>

/** What people sign with. */
export const Signature = later(() =>
  z.discriminatedUnion('format', [KeySignature, PasskeySignature]),
)
export type Signature = z.infer<typeof Signature>

/** A decimal that is not negative, as text: no exponent, no sign. */
export const DecimalText = later(() => z.string().regex(/^[0-9]{1,30}(?:\.[0-9]{1,18})?$/))

/** Which intent a fact is about: its address in names, and who and where in full. */
export const IntentRef = later(() =>
  z.strictObject({
    address: z.string(),
    agent: z.string(),
    session: z.string().nullable(),
  }),
)
export type IntentRef = z.infer<typeof IntentRef>

/** What a value is, which decides when two spellings of it are one. */
export const ValueKind = later(() =>
  z.enum(['email', 'account', 'id', 'name', 'url', 'amount', 'path', 'time']),
)
export type ValueKind = z.infer<typeof ValueKind>

/**
 * A value of an argument, and the first place where it was found. `message` and `attribute` make it
 * known, and so does a text that people `named`, what they `confirmed` before, what a call `made`,
 * what was `shown` where that will do, and a text for an `absent` value. Otherwise it stands in
 * `untrusted` text alone, or where a result `repeated` what a call was given, or `nowhere`; or it
 * is `beyond` what is looked for. An `unnamed` thing is one that a result lists and no one named;
 * an `unasked` value is known, and people's words do not ask for what is done to it.
 */
export const ValueFound = later(() =>
  z.strictObject({
    /** JSON pointer into the arguments. */
    arg: z.string(),
    kind: ValueKind,
    value: z.string(),
    found: z.enum([
      'message',
      'attribute',
      'named',
      'confirmed',
      'made',
      'shown',
      'person',
      'absent',
      'untrusted',
      'unasked',
      'repeated',
      'unnamed',
      'nowhere',
      'beyond',
    ]),
    /** The message in which it stands, who sent it, the tool that it is a result of, and where. */
    message: z.string().optional(),
    sender: z.string().optional(),
    tool: z.string().optional(),
    pointer: z.string().optional(),
    /** Whose attribute it is, and which. */
    principal: z.string().optional(),
    attribute: z.string().optional(),
    /** The folder or host that holds the value, where that is what is known. */
    within: z.string().optional(),
    /** What the list calls the thing that the value identifies. */
    called: z.string().optional(),
    /** The message in which a person names that thing, and by what: `words` of a text alone. */
    named: z.string().optional(),
    by: z.enum(['name', 'query', 'words']).optional(),
    /** The text that a person named, and who wrote it, as its result shows both. */
    source: z.string().optional(),
    writer: z.string().optional(),
    /** The name without its owner, where that is what stands there. */
    bare: z.string().optional(),
    /** The review in which people agreed to it. */
    review: z.string().optional(),
    /** Who agreed to it there, and when: for a call of `tool`. */
    agreed: z.strictObject({ by: z.array(z.string()), at: z.iso.datetime() }).optional(),
  }),
)
export type ValueFound = z.infer<typeof ValueFound>

/** JSON Pointer (RFC 6901); a token `*` stands for every item or member. */
export const Pointer = later(() =>
  z
    .string()
    .max(512)
    .regex(/^(?:\/(?:[^~/\p{Cc}\p{Cs}]|~[01])*)*$/u),
)

const textKinds: readonly ValueKind[] = ['email', 'url']
const sentKinds: readonly ValueKind[] = ['email', 'url', 'name']
const bareKinds: readonly ValueKind[] = ['name', 'path', 'id']
const heldKinds: readonly ValueKind[] = ['path', 'url']

/** A kind of thing that results list, such as `product`. */
export const ThingName = later(() => z.string().regex(/^[a-z][a-z0-9-]{0,31}$/))

/** A verb in its base form, or a noun for what is done. */
const AskWord = later(() => z.string().regex(/^[a-z]{2,32}$/))

/** Which argument of a call names a folder that the call makes. */
const MadeBy = later(() =>
  z.strictObject({
    tool: ShortText,
    arg: Pointer,
    /** The folder is called as the last part of this argument, in the one named by `arg`. */
    name: Pointer.optional(),
    /** What the call put into that folder is called as its result shows. */
    shown: z.literal(true).optional(),
  }),
)
export type MadeBy = z.infer<typeof MadeBy>

/** How the values of an argument are found, and in which ways they may be known. */
function waysToBeKnown() {
  return {
    /** It is a text, and each value of the kind that stands in it must be known. */
    inText: z.literal(true).optional(),
    /** What becomes of a value that is not known; absent means that people are asked. */
    unknown: z.enum(['ask', 'deny']).optional(),
    /** It identifies such a thing: one that people named in their own words, not only listed. */
    thing: ThingName.optional(),
    /** It is a text, and says something of what people's own words are about. */
    about: z.literal(true).optional(),
    /** A folder above the path, or the host of the address, may be known in its place. */
    within: z.literal(true).optional(),
    /** What people agreed to for a call of these tools is known for the rest of the session. */
    confirmed: z.array(ShortText).min(1).max(32).optional(),
    /** A text that people named, such as a bill, may hold it. */
    fromNamed: z.literal(true).optional(),
    /** `owner/name` or a file: people may leave owner or folder out, if it is the only one. */
    bare: z.literal(true).optional(),
    /** Texts that the tool takes as no value. */
    absent: z.array(z.string().max(64)).min(1).max(16).optional(),
    /** One of these words is in people's own words, where they speak of it: `delete`, say. */
    asks: z.array(AskWord).min(1).max(32).optional(),
    /** One of these words is in people's own words, whatever it stands beside: `push`, say. */
    says: z.array(AskWord).min(1).max(32).optional(),
    /** Where a call of these tools was carried out, it made the folder in which the path is. */
    madeBy: z.array(MadeBy).min(1).max(8).optional(),
    /** What a result shows by itself will do, though others can have written it. */
    shown: z.literal(true).optional(),
    /** People may name whose address it is: the owner's notes say it, or what they `wrote`. */
    person: z.enum(['noted', 'wrote']).optional(),
    /** A path without a slash at its start leads from the root. */
    rooted: z.literal(true).optional(),
    /** `what` goes, or where it goes `to`: people's own words pair them. */
    part: z.enum(['what', 'to']).optional(),
    /** It goes out: what is secret in it, by its look or by what a result calls it. */
    secret: z.literal(true).optional(),
  }
}

/** An argument whose values the agent must have from those whom the catalog trusts. */
export const KnownArgument = later(() =>
  z
    .strictObject({
      /** Into the arguments; it stands for all below it. */
      arg: Pointer,
      kind: ValueKind,
      ...waysToBeKnown(),
    })
    .refine(({ kind, person }) => person === undefined || sentKinds.includes(kind), {
      message: '`person` is for the kinds `email`, `url` and `name`',
      path: ['person'],
    })
    .refine(({ kind, rooted }) => rooted !== true || kind === 'path', {
      message: '`rooted` is for the kind `path`',
      path: ['rooted'],
    })
    .refine(
      ({ kind, secret, shown, thing }) =>
        (secret ?? shown) === undefined || (kind === 'id' && thing === undefined),
      { message: '`secret` and `shown` are for the kind `id`, and for no `thing`' },
    )
    .refine(({ kind, madeBy }) => madeBy === undefined || kind === 'path', {
      message: '`madeBy` is for the kind `path`',
      path: ['madeBy'],
    })
    .refine(
      ({ kind, bare, thing }) => bare !== true || (bareKinds.includes(kind) && thing === undefined),
      {
        message: '`bare` is for the kinds `name`, `path` and `id`, and no `thing`',
        path: ['bare'],
      },
    )
    .refine(
      ({ thing, inText, within }) => thing === undefined || (inText ?? within) === undefined,
      {
        message: '`thing` is for a value by itself: leave `inText` and `within` out',
        path: ['thing'],
      },
    )
    .refine(
      ({ about, kind, thing }) => about !== true || (kind === 'name' && thing === undefined),
      {
        message: '`about` is for a text, so of the kind `name`, and of no `thing`',
        path: ['about'],
      },
    )
    .refine(({ kind, within }) => within !== true || heldKinds.includes(kind), {
      message: '`within` is for the kinds `path` and `url`',
      path: ['within'],
    })
    .refine(({ kind, inText }) => inText !== true || textKinds.includes(kind), {
      message: '`inText` is for the kinds `email` and `url`',
      path: ['inText'],
    }),
)
export type KnownArgument = z.infer<typeof KnownArgument>

const UntrustedWhen = later(() =>
  z
    .strictObject({
      /** A member of the same object; absent where the value itself is looked at. */
      field: ShortText.optional(),
      /** Into the arguments of the call, in place of a member. */
      arg: Pointer.optional(),
      in: z.array(z.string()).max(256).optional(),
      notIn: z.array(z.string()).max(256).optional(),
      startsWith: ShortText.optional(),
      /** Not equal to an attribute of the agent or of its owner. */
      notOwn: z.literal(true).optional(),
    })
    .refine(({ field: _field, arg: _arg, ...test }) => Object.keys(test).length === 1, {
      message: 'one of `in`, `notIn`, `startsWith`, `notOwn`',
    })
    .refine(({ field, arg }) => field === undefined || arg === undefined, {
      message: 'it looks at a `field` or at an `arg`, not at both',
    }),
)

/** What others than the user and the tool can have written in the results of a tool. */
export const UntrustedPart = later(() =>
  z.strictObject({
    /** Into the result; it stands for all below it, and the empty one for the whole. */
    pointer: Pointer,
    /** Absent means always; so does a condition that finds no text to look at. */
    when: UntrustedWhen.optional(),
  }),
)
export type UntrustedPart = z.infer<typeof UntrustedPart>

/** Where the results of a tool list things, and what there says which thing each is. */
export const ListedThing = later(() =>
  z
    .strictObject({
      thing: ThingName,
      /** Into the result: each object there is a thing. */
      at: Pointer,
      /** The member that identifies it. */
      id: ShortText,
      /** Members whose text is its name. */
      names: z.array(ShortText).min(1).max(16).optional(),
      /** Members that say whose it is or from whom: people may ask for all of theirs. */
      of: z.array(ShortText).min(1).max(4).optional(),
      /** Members with the addresses of those who take part: people may have them written to. */
      with: z.array(ShortText).min(1).max(4).optional(),
      /** The member that says when it begins: people may ask for all of a day. */
      time: ShortText.optional(),
      /** The member that says when it ends: what is moved keeps its length. */
      ends: ShortText.optional(),
      /** The things are members of one object, and each is called as its member is. */
      key: z.literal(true).optional(),
      /** Into the arguments of the call: what was searched for. */
      query: Pointer.optional(),
      /** Others can have written the names: people's words must mean this thing, and no other. */
      foreign: z.literal(true).optional(),
    })
    .refine(({ names, key, query }) => (names ?? key ?? query) !== undefined, {
      message: 'one of `names`, `key`, `query`: else nothing says which thing it is',
    }),
)
export type ListedThing = z.infer<typeof ListedThing>

const Member = later(() =>
  Pointer.refine((text) => text !== '' && !/\/\*(?:\/|$)/.test(text), {
    message: 'it leads to one member, so it is not empty and has no `*`',
  }),
)

/** Results that are the owner's own notes: what they were read by, and where such notes are. */
export const OwnNotes = later(() =>
  z.strictObject({
    arg: Member,
    /** Folders in which only the owner puts files. */
    under: z
      .array(z.string().regex(/^\/(?:[^/]+\/)*$/))
      .min(1)
      .max(16),
  }),
)
export type OwnNotes = z.infer<typeof OwnNotes>

/** How a result of a tool is a text by itself that people can name, and who may have written it. */
export const NamedSource = later(() =>
  z
    .strictObject({
      /** Into the arguments: what it was read by, and nothing else was given. */
      arg: Member,
      /** What that is; a title, so a `name`, has two words at least. */
      kind: z.enum(['path', 'id', 'url', 'email', 'name']),
      /** Into the result: what was read, as the tool shows it. */
      id: Member,
      /** Into the result: who wrote it, as the tool shows it. */
      writer: Member,
      /** Into the result: its text. */
      text: Member,
      /** Whose texts count. */
      writers: z.array(ShortText).min(1).max(256).optional(),
      /** Those of the agent's owner do, by its attributes. */
      own: z.literal(true).optional(),
    })
    .refine(({ writers, own }) => (writers ?? own) !== undefined, {
      message: 'one of `writers`, `own`: else no one’s texts count',
    })
    .refine(({ id, writer, text }) => ![id, writer].some((one) => isAtOrBelow(text, one)), {
      message: '`id` and `writer` stand outside of the text, which others write',
      path: ['text'],
    }),
)
export type NamedSource = z.infer<typeof NamedSource>

function isAtOrBelow(above: string, pointer: string): boolean {
  return pointer === above || pointer.startsWith(`${above}/`)
}
