// What is verified, as its caller gives it, and as the gates look at it.
import type { LinkWorld } from './run/link-answers.ts'
import type { ReadContract } from '#work/verification/contract-reading'
import type { WorkReport } from '#work/verification/result'
import type { WorkSnapshot } from '#work/verification/snapshot'
import type { Model } from '#ports/models'
import type { WorkPlace } from './work-in.ts'

export interface WorkToVerify extends ReadContract {
  readonly place: WorkPlace
  /** What the worker says is there; other content is not judged. Absent: whatever is there. */
  readonly expected?: { readonly digest: string }
  readonly reported: WorkReport | null
  /** Further folders that programs of gates may read. */
  readonly readable: readonly string[]
  /** Whether such programs may run where no namespaces can be had. */
  readonly acceptsProcess: boolean
  /** Where links are asked; null is nowhere. */
  readonly online: LinkWorld | null
  /** Who is asked for the votes of a council, if anyone. */
  readonly model: Model | null
}

/** What the gates look at. */
export interface Looking extends WorkToVerify {
  /** Of the copy. */
  readonly copy: string
  readonly snapshot: WorkSnapshot
}
