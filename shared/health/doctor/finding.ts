// What looking at a deployment found: how each check came out, and how to fix it. It only holds
// words; anyone who looks is elsewhere.

/** Every check; `required` is what production cannot do without. */
export const checks = {
  versions: { isRequired: false },
  connection: { isRequired: true },
  server: { isRequired: true },
  sync: { isRequired: true },
  storage: { isRequired: false },
  persistence: { isRequired: true },
  replicas: { isRequired: true },
  stream: { isRequired: true },
  facts: { isRequired: true },
  cells: { isRequired: true },
  intake: { isRequired: true },
  mirror: { isRequired: true },
  followers: { isRequired: false },
  queue: { isRequired: false },
  consumers: { isRequired: false },
  clock: { isRequired: false },
  operator: { isRequired: true },
  accounts: { isRequired: true },
  root: { isRequired: true },
  secrets: { isRequired: true },
  keys: { isRequired: true },
  durability: { isRequired: true },
  file: { isRequired: true },
  disk: { isRequired: true },
  log: { isRequired: true },
  rollback: { isRequired: true },
  intents: { isRequired: false },
  faults: { isRequired: false },
  void: { isRequired: false },
  callbacks: { isRequired: false },
  keyless: { isRequired: false },
  moving: { isRequired: false },
  confirmers: { isRequired: false },
  roles: { isRequired: false },
  apply: { isRequired: false },
  grants: { isRequired: false },
  contracts: { isRequired: false },
  eras: { isRequired: false },
  doors: { isRequired: false },
  evaluators: { isRequired: false },
  observing: { isRequired: false },
  hooks: { isRequired: false },
  reviews: { isRequired: false },
  reach: { isRequired: false },
  console: { isRequired: true },
} as const satisfies Readonly<Record<string, { readonly isRequired: boolean }>>

export type Check = keyof typeof checks
export type Status = 'ok' | 'warning' | 'failure'

export interface DoctorFinding {
  readonly check: Check
  /** Which of several: a stream, a queue, a server. Empty where there is one. */
  readonly about: string
  readonly status: Status
  readonly found: string
  /** What to do about it; null where nothing is to be done. */
  readonly fix: string | null
}

/** What a finding says when there is more to it than its words. */
interface Said {
  readonly about?: string
  readonly fix: string
}

export function ok(check: Check, found: string, about = ''): DoctorFinding {
  return { check, about, status: 'ok', found, fix: null }
}

export function warning(check: Check, found: string, { about = '', fix }: Said): DoctorFinding {
  return { check, about, status: 'warning', found, fix }
}

export function failure(check: Check, found: string, { about = '', fix }: Said): DoctorFinding {
  return { check, about, status: 'failure', found, fix }
}

/** As production takes it: there a warning about what is required is a failure. */
export function inProduction(findings: readonly DoctorFinding[]): readonly DoctorFinding[] {
  return findings.map((finding) => {
    const isShort = finding.status === 'warning' && checks[finding.check].isRequired
    return isShort ? { ...finding, status: 'failure' } : finding
  })
}

export function failuresIn(findings: readonly DoctorFinding[]): readonly DoctorFinding[] {
  return findings.filter(({ status }) => status === 'failure')
}
