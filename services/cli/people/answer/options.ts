// The options of an answer to one review or several.
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import type { AlsoOptions } from './also.ts'

export interface AnswerOptions extends GlobalOptions, SignerOptions, AlsoOptions {
  readonly note?: string
  /** Whose deputy answers. */
  readonly inPlaceOf?: string
  readonly answers?: readonly boolean[]
  /** With all of what the call would write. */
  readonly whole?: boolean
  readonly agrees: boolean
}
