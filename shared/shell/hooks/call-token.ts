// By what an intent is named that a call of a coding agent is: its session, and the tool with the
// host's own name for the call, or with one that the hook has made for a host that names none.
import { canonical } from '#record/canonical'
import { digestOf } from '#record/digest'
import type { HookCall } from './hook-event.ts'
import type { Host } from './hosts/host.ts'

export function sessionOfCall({ name }: Host, { session }: Pick<HookCall, 'session'>): string {
  return session ?? name
}

export function callToken({ name }: Host, { tool }: Pick<HookCall, 'tool'>, id: string): string {
  return digestOf(canonical([name, tool, id])).slice('sha256:'.length)
}
