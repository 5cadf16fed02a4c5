// One route of the console: its path, who may ask, and what it takes and gives.
import type { z } from 'zod'

/**
 * `person`: who is signed in. `confirmer`: may be asked about what others do. `auditor`: may read
 * all of the log. `operator`: a policy admin. `author`: a policy admin or curator.
 */
export type ConsoleWho = 'anyone' | 'person' | 'confirmer' | 'auditor' | 'operator' | 'author'

export interface ConsoleRoute {
  readonly method: 'get' | 'post'
  /** Below `/console/api`, with parameters in braces. */
  readonly path: string
  readonly who: ConsoleWho
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Null for what is no JSON. */
  readonly answer: z.ZodType | null
}

/** What is sent to a path, and what comes back. */
export function sending<
  const Path extends string,
  const Who extends ConsoleWho,
  Body extends z.ZodType,
  Answer extends z.ZodType,
>(path: Path, who: Who, body: Body, answer: Answer) {
  return { method: 'post', path, who, body, answer } as const
}
