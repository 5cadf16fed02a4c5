// The folders of the demo's workers: each has one, and only its present attempt lies in it.
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { copyFolder } from '#gates/run/copied-folder'
import { withFolder } from '#gates/run/gate-programs'
import { assert } from '#record/fault'
import { snapshotDigest } from '#work/verification/snapshot'
import type { WorkAttempt, WorkTask } from '#demo/work-task'
import type { TestPrograms } from './test-programs.ts'

export interface Workshop {
  folderOf(agent: string): string
  /** Writes what the attempt leaves, and returns the digest that the worker names. */
  write(agent: string, attempt: WorkAttempt): Promise<string>
  close(): Promise<void>
}

export async function openWorkshop(agents: readonly string[]): Promise<Workshop> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'warrant-workshop-')))
  const folderOf = (agent: string): string => join(top, agent)
  await Promise.all(agents.map((agent) => mkdir(folderOf(agent))))
  return {
    folderOf,
    async write(agent, { files, links = {}, swapped }) {
      const folder = folderOf(agent)
      await rm(folder, { recursive: true })
      await mkdir(folder)
      await writeFiles(folder, files)
      for (const [path, target] of Object.entries(links)) await symlink(target, join(folder, path))
      const digest = await digestOfFolder(folder)
      if (swapped !== undefined) await writeFiles(folder, swapped)
      return digest
    },
    close: () => rm(top, { recursive: true, force: true }),
  }
}

/** Null where what runs its tests is not here. */
export function contractOf(
  { contract, tests }: WorkTask,
  programs: TestPrograms,
): WorkTask['contract'] | null {
  if (tests === undefined) return contract
  const runTests = programs.commands.get(tests)
  return runTests === undefined ? null : { ...contract, runTests: [...runTests] }
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

function digestOfFolder(folder: string): Promise<string> {
  return withFolder(async (top) => {
    const snapshot = await copyFolder(folder, join(top, 'copy'))
    assert(typeof snapshot !== 'string', 'what the demo writes is small')
    return snapshotDigest(snapshot)
  })
}
