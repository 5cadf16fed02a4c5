// What a process that opens a log pins, so that no other log is ever taken for it.

export interface Pinned {
  /** The log's identity. */
  readonly log: string | null
  /** The key that began it. */
  readonly root: string | null
}

/** The words for a shell; `…` where something is not known yet. */
export function pinWords({ log, root }: Pinned): string {
  return `export WARRANT_ROOT_KEY=${root ?? '…'} WARRANT_LOG_ID=${log ?? '…'}`
}
