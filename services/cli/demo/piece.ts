// What a demo plays: a seed with recorded sessions, how one of them is played, and how the result
// reads. The log, the stages and the fleet are the same for all.
import { join } from 'node:path'
import type { CatalogOperation } from '#schemas/catalog'
import { change } from '#runtime/authoring/change'
import { seedFolder } from '#runtime/authoring/seed'
import type { Runtime } from '#runtime/engine/runtime'
import type { Replayed } from '#services/demo/venue'
import { packageRoot } from '../opening/package-root.ts'
import type { Line } from '../terminal/line.ts'

export interface DemoPiece {
  /** What is played one by one, and how many there are. */
  readonly unit: 'conversations' | 'sessions'
  readonly count: number
  seed(runtime: Runtime): Promise<void>
  begin(runtime: Runtime): Promise<Playing>
  lines(shown: PieceShown): readonly Line[]
  json(): object
}

export interface Playing {
  play(index: number, signal: AbortSignal): Promise<void>
  end(): void
}

export interface PieceShown {
  readonly seconds: number
  readonly facts: number
  readonly further: readonly string[]
  readonly interrupted: boolean
  readonly replayed: Replayed | null
}

/** As many principals as surely fit one change set. */
const operationsMax = 256

export interface SeedSigner {
  readonly id: string
  readonly privateKey: string
}

export function seedPath(...parts: readonly string[]): string {
  return join(packageRoot(), 'seeds', ...parts)
}

/** Brings in the seed, and then what the recording adds to its catalog. */
export async function seedWith(
  runtime: Runtime,
  {
    folder,
    operations,
  }: { readonly folder: string; readonly operations: readonly CatalogOperation[] },
  author: SeedSigner,
): Promise<void> {
  await seedFolder(runtime, folder, { author })
  for (let from = 0; from < operations.length; from += operationsMax) {
    const some = operations.slice(from, from + operationsMax)
    await change(runtime, { kind: 'catalog', operations: some }, author)
  }
}
