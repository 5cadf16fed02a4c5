// The coding agents whose hooks are read, in the order in which they are listed.
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { cursor } from './cursor.ts'
import { gemini } from './gemini.ts'
import type { Host } from './host.ts'

export const hosts: readonly Host[] = [claudeCode, codex, gemini, cursor, copilot]

/** A host that is not known is answered as most of them are. */
export const usualHost: Host = claudeCode

export function hostNamed(name: string): Host | null {
  return hosts.find((one) => one.name === name) ?? null
}
