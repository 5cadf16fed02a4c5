// All that is made of one result: the frame that its agent gets, and what its gateway publishes.
import type { Json, JsonMap } from '#record/canonical'
import { frame, type Frame, type FrameOptions } from './frame.ts'
import { resultEvidence, type GivenResult } from './result-evidence.ts'

export interface ToFrame {
  readonly value: Json
  readonly options: FrameOptions
  /** Null where its gateway publishes nothing of it. */
  readonly evidence: Omit<GivenResult, 'value' | 'frame'> | null
}

export interface Framed {
  readonly frame: Frame
  /** The payload of the message. */
  readonly evidence: JsonMap | null
}

export function framed({ value, options, evidence }: ToFrame): Framed {
  const shown = frame(value, options)
  if (evidence === null) return { frame: shown, evidence: null }
  // The log has no more than is shown where everything sensitive is taken out.
  const isRedacted = (options.redaction ?? 'all') === 'all'
  const frameSaid = isRedacted ? shown : frame(value, { ...options, redaction: 'all' })
  const said = resultEvidence({ ...evidence, value, frame: frameSaid })
  return { frame: shown, evidence: said }
}
