// A folder as a worker leaves it, and what is found of it under a contract.
import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readClaim, readContract } from '#work/verification/contract-reading'
import type { LinkWorld } from '#gates/run/link-answers'
import type { Model } from '#ports/models'
import type { VerifiedWork } from '#work/verification/result'
import { verifyWork } from '#gates/verify-work'
import { temporaryFolder } from '../temporary-folder.ts'

export type WrittenFiles = Readonly<Record<string, string>>

export async function writeFiles(folder: string, files: WrittenFiles): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

export interface Worked {
  readonly folder: string
  /** What a command that is simply run in the folder ends with: what a careless verifier sees. */
  readonly bare: (command: readonly string[]) => number | null
  readonly verify: (contract: object, more?: Verifying) => Promise<VerifiedWork>
}

interface Verifying {
  readonly claim?: object
  readonly acceptsProcess?: boolean
  readonly readable?: readonly string[]
  readonly online?: LinkWorld | null
  readonly model?: Model | null
}

export async function worked(files: WrittenFiles): Promise<Worked> {
  const folder = await temporaryFolder()
  await writeFiles(folder, files)
  return {
    folder,
    bare: ([program = '', ...args]) => {
      return spawnSync(program, args, { cwd: folder, timeout: 20_000 }).status
    },
    verify(contract, { claim = { status: 'success' }, ...more } = {}) {
      const read = readContract({ taskId: 'T-1', objective: 'Do it.', ...contract })
      const reported = { claim: readClaim(claim, read.contract), retries: 0 }
      const { readable = [], acceptsProcess = false, online = null, model = null } = more
      const place = { folder }
      return verifyWork({ ...read, place, reported, readable, acceptsProcess, online, model })
    },
  }
}

/** The outcome of each gate that was not skipped, with its code. */
export function outcomes({ gates }: VerifiedWork): Readonly<Record<string, string>> {
  return Object.fromEntries(
    gates
      .filter(({ outcome }) => outcome !== 'skipped')
      .map(({ gate, outcome, code }) => [
        gate,
        code === undefined ? outcome : `${outcome} ${code}`,
      ]),
  )
}
