// The words that entries of the catalog and its built-in rules share.
import { z } from 'zod'

// No control characters and no lone surrogates: two spellings of one name would be two principals.
export const Id = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u)

const monthMs = 30 * 24 * 60 * 60 * 1000
export const DurationMs = z.int().min(1).max(monthMs)

export const SafetyClass = z.enum(['READ', 'WRITE', 'DESTRUCTIVE'])
export type SafetyClass = z.infer<typeof SafetyClass>

export const Sensitivity = z.enum(['NONE', 'PII', 'PCI', 'SECRETS', 'MEMORY'])

export const UsesMax = z.union([z.int().min(1).max(100_000), z.literal('unlimited')])
