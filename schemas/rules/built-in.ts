// The rules that hold without anyone having written them, as data: their values, and what of them a
// catalog may set in its `defaults`. The page docs/reference/built-in-rules.md is made of this.
import { z } from 'zod'
import { justificationCharacters } from './justification.ts'
import { DurationMs, Id, SafetyClass, Sensitivity, UsesMax } from './terms.ts'
import { later } from '../later.ts'

/** What a place takes, where it is given something else. */
const takes = (what: string): { readonly error: string } => ({ error: `it takes ${what}` })

const roles = later(() => z.array(Id, takes('a list of roles; [] where none is needed')).max(64))
const sensitive = () => Sensitivity.exclude(['NONE']).options
const sensitivities = later(() =>
  z.array(
    z.enum(sensitive(), takes(`one of ${sensitive().join(', ')}`)),
    takes('a list; [] for none'),
  ),
)
const needing = () => [...SafetyClass.options, ...sensitive()] as const
const rows = later(() =>
  z.union(
    [z.int().min(1).max(1_000_000_000), z.literal('unlimited')],
    takes('a whole number from 1, or "unlimited"'),
  ),
)

/** What roles are needed for: classes and sensitivities; memory is written or read. */
const rolesFor = {
  READ: roles,
  WRITE: roles,
  DESTRUCTIVE: roles,
  SECRETS: roles,
  MEMORY_WRITE: roles,
  MEMORY_SENSITIVE: roles,
}

const classLimit = later(() => z.strictObject({ uses: UsesMax, windowMs: DurationMs }))
const classLimits = { READ: classLimit, WRITE: classLimit, DESTRUCTIVE: classLimit }

const justified = takes('a whole number from 1 to 1000; `justificationFor: []` needs none')
const factor = takes('a whole number from 1 to 100')

/** All of the rules, each with a value. */
export const BuiltInRules = later(() =>
  z.strictObject({
    /** One of these roles is needed. Empty: none is. */
    rolesFor: z.strictObject(rolesFor),
    /** Sensitivities whose capabilities need the attribute. Empty: none does. */
    tenantFor: sensitivities,
    /** The attribute of the agent that says for whom it works. */
    tenantAttribute: Id,
    /** Classes and sensitivities whose capabilities need a justification. Empty: none does. */
    justificationFor: z.array(
      z.enum(needing(), takes(`one of ${needing().join(', ')}`)),
      takes('a list; [] where none is needed'),
    ),
    /** How many characters of it there must be. */
    justificationCharacters: z.int(justified).min(1, justified).max(1000, justified),
    /**
     * Sensitivities of which only `allowedFields` are given. Empty: all fields of everything are.
     */
    fieldsFor: sensitivities,
    /** Roles that are given all fields. */
    fieldsReaders: roles,
    /** The most rows that an allow gives. */
    maxRows: rows,
    /** The same for agents with a service role. */
    serviceMaxRows: rows,
    /** How often an agent may use a capability for which the catalog has no other limit. */
    limits: z.strictObject(classLimits),
    /** By how much a service role raises each limit. */
    serviceFactor: z.int(factor).min(1, factor).max(100, factor),
    /** Roles of agents that work for many. */
    serviceRoles: roles,
  }),
)

export type BuiltInRules = z.infer<typeof BuiltInRules>

/** What a catalog sets of them; what it does not name is as it is built in. */
export const Defaults = later(() =>
  z.strictObject({
    ...BuiltInRules.partial().shape,
    rolesFor: z.strictObject(rolesFor).partial().optional(),
    limits: z.strictObject(classLimits).partial().optional(),
  }),
)
export type Defaults = z.infer<typeof Defaults>

const minuteMs = 60_000

export const builtInRules: BuiltInRules = {
  rolesFor: {
    READ: [],
    WRITE: ['writer', 'admin'],
    DESTRUCTIVE: ['admin'],
    SECRETS: ['secrets_reader', 'admin'],
    MEMORY_WRITE: ['memory_writer', 'admin'],
    MEMORY_SENSITIVE: ['memory_reader_sensitive', 'admin'],
  },
  tenantFor: ['PII', 'PCI'],
  tenantAttribute: 'tenant',
  justificationFor: ['WRITE', 'DESTRUCTIVE', 'SECRETS'],
  justificationCharacters,
  fieldsFor: ['PII', 'PCI'],
  fieldsReaders: ['pii_reader'],
  maxRows: 50,
  serviceMaxRows: 500,
  limits: {
    READ: { uses: 60, windowMs: minuteMs },
    WRITE: { uses: 10, windowMs: minuteMs },
    DESTRUCTIVE: { uses: 2, windowMs: minuteMs },
  },
  serviceFactor: 10,
  serviceRoles: ['service'],
}
