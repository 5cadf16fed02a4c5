// The doors of `init --for`, by name.
import { assert } from '#record/fault'
import { hostNamed } from '#shell/hooks/hosts/hosts'
import type { InitDoor } from './door.ts'
import { hookDoor } from './hook-door.ts'
import { loginDoor } from './http-door.ts'
import { mcpDoor } from './mcp-door.ts'
import { nodeDoor, pythonDoor } from './program-door.ts'

const others: ReadonlyMap<string, InitDoor> = new Map([
  ['mcp', mcpDoor],
  ['http', loginDoor],
  ['node', nodeDoor],
  ['python', pythonDoor],
])

export function doorNamed(name: string): InitDoor {
  const host = hostNamed(name)
  const door = host === null ? others.get(name) : hookDoor(host)
  assert(door !== undefined, 'the command line takes no other')
  return door
}
