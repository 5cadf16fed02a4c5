// One route of the HTTP server: its path, and what it takes and gives.
import type { z } from 'zod'
import type { Operation } from '../operations/operation.ts'
import type { ParameterName } from './parameters.ts'

export interface RouteEntry {
  readonly method: 'get' | 'post'
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string
  readonly title: string
  /** Whether it takes a caller’s credential. */
  readonly isOpen?: true
  readonly body?: z.ZodType
  /** Whether the body may be left out. */
  readonly isBodyOptional?: true
  /** Names of `requestParameters` that it reads. */
  readonly reads?: readonly ParameterName[]
  /** The operation that is asked: its path and query have what that takes. */
  readonly asks?: Operation
  /** What stands in the answer, by status; null for what is no JSON of ours. */
  readonly answers: Readonly<Record<number, AnswerEntry>>
  /** The statuses of its own problems, beside those of every route. */
  readonly problems?: readonly number[]
}

export interface AnswerEntry {
  readonly title: string
  readonly body: z.ZodType | null
  readonly type?: string
}
