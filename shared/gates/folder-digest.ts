// The digest by which a claim names what is in a folder: of a copy of it, as verifiers make one.
import { join } from 'node:path'
import { withFolder } from './run/gate-programs.ts'
import { Fault } from '#record/fault'
import { snapshotDigest } from '#work/verification/snapshot'
import { workIn } from './work-in.ts'

/** Throws a Fault `work_unreadable` where there is no folder, or one that verifiers do not copy. */
export async function folderDigest(folder: string): Promise<string> {
  return withFolder(async (top) => {
    const snapshot = await workIn({ folder }, join(top, 'copy'))
    if (typeof snapshot !== 'string') return snapshotDigest(snapshot)
    throw new Fault('work_unreadable', `\`${folder}\`: it cannot be copied (${snapshot})`)
  })
}
