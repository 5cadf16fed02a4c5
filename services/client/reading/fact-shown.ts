// One fact as a value for programs: its bytes as the JSON that they are, and beside them where it
// stands in the log and which tool it is about.
import { parseJson } from '#core/kernel/json'
import type { Fact } from '#ports/log'
import type { AskedFor } from './asked-for.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The fact as one value; bytes that are no JSON come as base64. The cell is left out of a realm of
 * one log, and null for what all cells share.
 */
export function factJson(
  { position, appendedAt, name, bytes }: Fact,
  asked: AskedFor | null,
  cell: number | null | undefined,
): unknown {
  return {
    position,
    appendedAt: new Date(appendedAt).toISOString(),
    name,
    ...(cell !== undefined && { cell }),
    // Beside the fact, whose bytes are as they are.
    ...(asked !== null && { tool: asked.tool }),
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
