// How a gateway carries a capability out: which driver, with what, and how often at once. Only the
// catalog says any of it: an argument of a call fills places that are named here, and no others.
import { z } from 'zod'
import { Id, msUpTo } from '../rules/terms.ts'
import { ValueKind } from '../values.ts'
import { later } from '../later.ts'

const Text = later(() => z.string().min(1).max(4000))

/** A text of which parts are filled in when a tool is called. */
const Template = later(() =>
  Text.describe(
    '`${args:/pointer}` stands for an argument of the call, `${secret:NAME}` for a secret.',
  ),
)

const Header = later(() =>
  z
    .string()
    .max(128)
    .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/),
)
const EnvName = later(() =>
  z
    .string()
    .max(128)
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/),
)

/** A function of the process that runs the gateway. */
const LocalDriver = later(() => z.strictObject({ kind: z.literal('local'), operation: Id }))

/** One request to a server. */
const HttpDriver = later(() =>
  z.strictObject({
    kind: z.literal('http'),
    method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
    /** Scheme, host and port are written out; path and query may contain arguments. */
    url: Template,
    headers: z.record(Header, Template).optional(),
    /** Arguments that are sent in the query, beside those that the address names. */
    query: z.array(z.string().min(1).max(256)).max(64).optional(),
    /**
     * How the arguments that no template names are sent; `none` leaves them out. Absent: as JSON;
     * for GET, HEAD and DELETE a call with such an argument is refused.
     */
    body: z.enum(['json', 'form', 'none']).optional(),
    /**
     * Addresses inside the gateway's own network that it may be sent to, as literals or as names;
     * absent means public ones alone.
     */
    privateHosts: z.array(z.string().min(1).max(256)).max(16).optional(),
    /** How many redirects are followed, each judged as the first; absent means none. */
    redirects: z.int().min(0).max(5).optional(),
  }),
)

/** One tool of a server of `servers`. */
const McpDriver = later(() =>
  z.strictObject({
    kind: z.literal('mcp'),
    server: Id,
    /** As the server calls it. */
    tool: z.string().min(1).max(256),
  }),
)

/** One program, by its arguments; no shell reads them. */
const ShellDriver = later(() =>
  z.strictObject({
    kind: z.literal('shell'),
    command: z.array(Template).min(1).max(64),
    /** An absolute folder. */
    cwd: z.string().min(1).max(1024).optional(),
    env: z.record(EnvName, Template).optional(),
    /** Exit codes that are a success beside 0. */
    exitCodes: z.array(z.int().min(0).max(255)).max(16).optional(),
  }),
)

export const Driver = later(() =>
  z.discriminatedUnion('kind', [LocalDriver, HttpDriver, McpDriver, ShellDriver]),
)
export type Driver = z.infer<typeof Driver>

const dayMs = 24 * 60 * 60 * 1000

/** The bounds of one execution. What is absent is as the documentation of drivers says. */
export const Execution = later(() =>
  z.strictObject({
    /** Milliseconds; 30 000 if absent. After it the outcome is not known. */
    timeoutMs: msUpTo(dayMs).optional(),
    /**
     * Whether a second attempt with the same key does no more than the first; `false` if absent.
     */
    idempotent: z.boolean().optional(),
    /** How many run at once; 16 if absent. */
    concurrency: z.int().min(1).max(10_000).optional(),
    /** How many of one agent run at once; 4 if absent. */
    agentConcurrency: z.int().min(1).max(10_000).optional(),
    /** How large a result may be, in bytes; 16 MiB if absent, and never more than 64 MiB. */
    bytesMax: z
      .int()
      .min(1)
      .max(1024 * 1024 * 1024)
      .optional(),
    /** How many values a result may have, lists and objects among them; 200 000 if absent. */
    valuesMax: z.int().min(1).max(1_000_000).optional(),
  }),
)
export type Execution = z.infer<typeof Execution>

/** The kinds of identifiers that agents may see in its results; absent means none. */
export const Reveal = later(() => z.array(ValueKind).max(16))

/**
 * What is taken out of its results before an agent gets them: `all` that is sensitive, `secrets`
 * alone, or `none`. Absent means all.
 */
export const Redaction = later(() => z.enum(['all', 'secrets', 'none']))
export type Redaction = z.infer<typeof Redaction>

/** A server of tools that speaks MCP: a program that the gateway starts, or an address. */
export const ToolServer = later(() =>
  z.union([
    z.strictObject({
      id: Id,
      command: z.array(Template).min(1).max(64),
      cwd: z.string().min(1).max(1024).optional(),
      env: z.record(EnvName, Template).optional(),
    }),
    z.strictObject({
      id: Id,
      url: Text,
      headers: z.record(Header, Template).optional(),
      privateHosts: z.array(z.string().min(1).max(256)).max(16).optional(),
    }),
  ]),
)
export type ToolServer = z.infer<typeof ToolServer>
export type HttpToolServer = Extract<ToolServer, { readonly url: string }>

/** As a person or an upstream names it, such as `1.4.0`. */
export const Version = later(() =>
  z
    .string()
    .max(64)
    .regex(/^[0-9A-Za-z][0-9A-Za-z.+-]*$/),
)
