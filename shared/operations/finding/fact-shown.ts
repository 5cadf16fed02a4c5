// One fact as a value for programs: its bytes as the JSON that they are, and beside them where it
// stands in the log and which tool it is about.
import { parseJson } from '#record/json'
import type { Fact } from '#ports/log'
import type { DecisionRow } from '#schemas/operations/facts'
import type { AskedFor } from './asked-for.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What is known of a fact beside its bytes. */
export interface FactBeside {
  readonly asked: AskedFor | null
  /** Left out of a realm of one log, and null for what all cells share. */
  readonly cell: number | null | undefined
  /** Why its allow counts for nothing; null where it counts, and of all else. */
  readonly forged: string | null
  /** What a verdict came to, where that is asked for. */
  readonly decision?: DecisionRow | null
}

/** The fact as one value; bytes that are no JSON come as base64. */
export function factJson(
  { position, appendedAt, name, bytes }: Fact,
  { asked, cell, forged, decision = null }: FactBeside,
): unknown {
  return {
    position,
    appendedAt: new Date(appendedAt).toISOString(),
    name,
    ...(cell !== undefined && { cell }),
    // Beside the fact, whose bytes are as they are.
    ...(asked !== null && { tool: asked.tool }),
    ...(forged !== null && { void: forged }),
    ...(decision !== null && { decision }),
    fact: readContentOf(bytes),
  }
}

export function readContentOf(bytes: Uint8Array): unknown {
  try {
    return parseJson(decoder.decode(bytes))
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') }
  }
}
