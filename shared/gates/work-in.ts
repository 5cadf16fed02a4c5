// Where work lies, and the copy of it that is judged: all of a folder, or the tree of one commit of
// a repository. What a worker did to either is an answer, and never an error.
import { constants } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { copyFolder } from './run/copied-folder.ts'
import { copyCommit, type CommitPlace } from './run/repository.ts'
import { fileProblem } from '#system/file-problem'
import { Fault } from '#record/fault'
import type { CopyProblem, WorkSnapshot } from '#work/verification/snapshot'

/** The worker may still be writing to either. */
export type WorkPlace = { readonly folder: string } | CommitPlace

/**
 * Writes it into a folder that is not there yet. Throws a `Fault` where there is no folder to read:
 * the operator named it.
 */
export async function workIn(place: WorkPlace, into: string): Promise<WorkSnapshot | CopyProblem> {
  if ('folder' in place) return copyFolder(await folderOf(place.folder), into)
  const { repository, commit } = place
  return copyCommit({ repository: await folderOf(repository), commit }, into)
}

async function folderOf(path: string): Promise<string> {
  try {
    const folder = await realpath(path)
    if (((await stat(folder)).mode & constants.S_IFMT) === constants.S_IFDIR) return folder
  } catch (cause) {
    const why = fileProblem(cause, 'it cannot be read')
    throw new Fault('work_unreadable', `\`${path}\`: ${why}`, { cause })
  }
  throw new Fault('work_unreadable', `\`${path}\`: it is a file, and not a folder`)
}
