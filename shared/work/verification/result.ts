// What a verification came to, as one JSON object that keeps its order of keys.
import type { IsolationPart, TaskClaim, TaskContract } from '#schemas/work/contract'
import { scoreOf, type WorkScore } from '../score.ts'
import { conclusionOf, type Conclusion, type GateResult } from './gates.ts'
import { snapshotBytes, snapshotDigest, type CopyProblem, type WorkSnapshot } from './snapshot.ts'

export interface VerifiedWork extends Conclusion {
  readonly taskId: string
  /** The digest of the contract. */
  readonly contract: string
  /** What was judged; null where it could not be copied. */
  readonly work: {
    readonly digest: string
    readonly files: number
    readonly bytes: number
    readonly leftOut: WorkSnapshot['leftOut']
  } | null
  /** What held of the programs of gates; null where none was run. */
  readonly isolation: {
    readonly kind: 'namespaces' | 'process'
    readonly held: readonly IsolationPart[]
  } | null
  readonly gates: readonly GateResult[]
  readonly score?: number
  readonly rule?: WorkScore['rule']
}

/** What the worker reported, and how many attempts came before: null where there is no report. */
export interface WorkReport {
  /** Null where it could not be read. */
  readonly claim: TaskClaim | null
  readonly retries: number
}

export interface ToConclude {
  readonly contract: TaskContract
  readonly digest: string
  readonly snapshot: WorkSnapshot | CopyProblem
  readonly isolation: VerifiedWork['isolation']
  readonly gates: readonly GateResult[]
  readonly reported: WorkReport | null
}

const leftOutShownMax = 100

export function verifiedWork(of: ToConclude): VerifiedWork {
  const { contract, digest, snapshot, isolation, gates, reported } = of
  const conclusion = conclusionOf(gates)
  return {
    ...conclusion,
    taskId: contract.taskId,
    contract: digest,
    work:
      typeof snapshot === 'string'
        ? null
        : {
            digest: snapshotDigest(snapshot),
            files: snapshot.files.size,
            bytes: snapshotBytes(snapshot),
            leftOut: snapshot.leftOut.slice(0, leftOutShownMax),
          },
    isolation,
    gates,
    ...(reported !== null && scored(conclusion, reported)),
  }
}

function scored({ verification }: Conclusion, { claim, retries }: WorkReport): WorkScore {
  if (claim === null) return scoreOf(null)
  const { status, whatINeed, whatFailed } = claim
  return scoreOf({ status, verification, retries, whatINeed, whatFailed })
}
