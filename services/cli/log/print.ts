// One fact on one line, for people and for programs.
import { parseJson } from '#core/kernel/json'
import { phraseOf } from '#present/story/sentences'
import type { Fact } from '#ports/log'

const positionWidth = 7
const nameWidth = 54

/** Position, time, name without what is `asked` of its realm and the first era; what it says. */
export function factLine(fact: Fact, realm: string, asked: string): string {
  const { position, appendedAt, name } = fact
  const prefix = name.startsWith(`${asked}.1.`) ? `${asked}.1.` : `${asked}.`
  const shown = name.startsWith(prefix) ? name.slice(prefix.length) : name
  const time = new Date(appendedAt).toISOString().slice(0, 23).replace('T', ' ')
  const at = String(position).padStart(positionWidth)
  return `${at}  ${time}  ${shown.padEnd(nameWidth)}  ${phraseOf(fact, realm)}`
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The fact as one value; bytes that are no JSON come as base64. The cell is left out of a realm of
 * one log, and null for what all cells share.
 */
export function factJson(
  { position, appendedAt, name, bytes }: Fact,
  cell: number | null | undefined,
): unknown {
  return {
    position,
    appendedAt: new Date(appendedAt).toISOString(),
    name,
    ...(cell !== undefined && { cell }),
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
