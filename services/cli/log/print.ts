// One fact on one line, for people and for programs.
import { parseJson } from '#core/kernel/json'
import { phraseOf } from '#present/story/sentences'
import type { Fact } from '#ports/log'

const positionWidth = 7
const nameWidth = 54

/** Position, time, name without realm and the first era, and what it says. */
export function factLine(fact: Fact, realm: string): string {
  const { position, appendedAt, name } = fact
  const prefix = name.startsWith(`${realm}.1.`) ? `${realm}.1.` : `${realm}.`
  const shown = name.startsWith(prefix) ? name.slice(prefix.length) : name
  const time = new Date(appendedAt).toISOString().slice(0, 23).replace('T', ' ')
  const at = String(position).padStart(positionWidth)
  return `${at}  ${time}  ${shown.padEnd(nameWidth)}  ${phraseOf(fact, realm)}`
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The fact as one value; bytes that are no JSON come as base64. */
export function factJson({ position, appendedAt, name, bytes }: Fact): unknown {
  return {
    position,
    appendedAt: new Date(appendedAt).toISOString(),
    name,
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
