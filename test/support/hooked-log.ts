// A log in a file with the shipped rules for coding agents, and one agent that asks through hooks.
import { join } from 'node:path'
import { expect } from 'vitest'
import { run } from './cli-runner.ts'
import { put } from './edits.ts'

const seeds = join(import.meta.dirname, '../../seeds')

/** Begins it in that folder; `coding-agent` is owned by `you`, whose key is there. */
export async function hookedLogIn(cwd: string): Promise<void> {
  await run(['init'], { cwd })
  await run(['seed', join(seeds, 'shell')], { cwd })
  await run(['seed', join(seeds, 'hooks')], { cwd })
  const agent = { id: 'coding-agent', owner: 'you', via: ['hook'] }
  expect(await put('principals', [agent], { cwd })).toMatchObject({ code: 0 })
}
