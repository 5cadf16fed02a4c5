// A decision as an event of OCSF (https://schema.ocsf.io, 1.8.0), as collectors of security events
// read it: an activity of an API (class 6003) under a security control. What has no place there is
// under `unmapped`.
import type { Fact } from '#ports/log'
import { reasonText } from '#present/reason-text'
import { inOneSentence } from '#present/wording'
import { readData } from '#record/event'
import type { VerdictData } from '#schemas/facts'
import type { DecisionRow } from '#schemas/operations/facts'
import { decidedText } from './decided.ts'

const schemaVersion = '1.8.0'
const classUid = 6003
const otherActivity = 99

interface Decided {
  readonly decision: DecisionRow
  readonly tool: string | null
  /** Why it counts for nothing; null where it counts. */
  readonly forged: string | null
  readonly cell: number | null | undefined
  readonly realm: string
  /** Of this program. */
  readonly version: string
}

/** Null where the fact is no verdict. */
export function ocsfEvent(fact: Fact, of: Decided): object | null {
  const verdict = readData('verdict', fact)
  if (verdict === null) return null
  const { decision, forged, realm, version } = of
  const { agent, args, intent, approvedBy, reason } = decision
  const tool = of.tool ?? '(several)'
  return {
    activity_id: otherActivity,
    activity_name: 'Authorize',
    category_name: 'Application Activity',
    category_uid: 6,
    class_name: 'API Activity',
    class_uid: classUid,
    type_name: 'API Activity: Authorize',
    type_uid: classUid * 100 + otherActivity,
    time: fact.appendedAt,
    ...cameTo(verdict, forged),
    message: decidedText(decision, tool),
    actor: {
      app_name: agent,
      user: { name: agent, uid: agent, type: 'AI agent', type_id: 99 },
    },
    api: {
      operation: tool,
      request: { uid: intent, ...(args !== null && { data: args }) },
      service: { name: realm },
    },
    authorizations: approvedBy.map((person) => ({ decision: `approved by ${person}` })),
    src_endpoint: { name: agent, svc_name: agent },
    metadata: {
      correlation_uid: intent,
      log_name: realm,
      original_time: new Date(fact.appendedAt).toISOString(),
      product: { name: 'Warrant', uid: 'warrant-runtime', vendor_name: 'Warrant', version },
      profiles: ['security_control'],
      sequence: fact.position,
      uid: fact.name,
      version: schemaVersion,
    },
    unmapped: {
      approved_by: approvedBy,
      justification: reason,
      reasons: decision.reasons,
      ...(of.cell !== undefined && of.cell !== null && { cell: of.cell }),
    },
  }
}

/** How a control decided, and how much it matters. */
function cameTo({ outcome, reasons, observed, release }: VerdictData, forged: string | null) {
  if (forged !== null) {
    return {
      ...named({ status: [99, 'Void'], action: [99, 'Void'], disposition: [19, 'Alert'] }),
      ...severe(4, 'High'),
      status_detail: forged,
      is_alert: true,
    }
  }
  const [first] = reasons
  const why = first !== undefined && {
    status_code: first.code,
    status_detail: inOneSentence(reasons.map((each) => reasonText(each))),
  }
  if (outcome === 'deny') {
    const action = observed ? ([3, 'Observed'] as const) : ([2, 'Denied'] as const)
    const disposition = observed ? ([17, 'Logged'] as const) : ([2, 'Blocked'] as const)
    return {
      ...named({ status: [2, 'Failure'], action, disposition }),
      ...severe(2, 'Low'),
      ...why,
    }
  }
  const isApproved = (release?.confirmedBy ?? []).length > 0
  const action = observed ? ([3, 'Observed'] as const) : ([1, 'Allowed'] as const)
  const disposition = isApproved ? ([8, 'Approved'] as const) : ([1, 'Allowed'] as const)
  return {
    ...named({ status: [1, 'Success'], action, disposition }),
    ...severe(1, 'Informational'),
  }
}

type Named = readonly [id: number, name: string]

function named({
  status,
  action,
  disposition,
}: {
  readonly status: Named
  readonly action: Named
  readonly disposition: Named
}) {
  return {
    status_id: status[0],
    status: status[1],
    action_id: action[0],
    action: action[1],
    disposition_id: disposition[0],
    disposition: disposition[1],
  }
}

function severe(id: number, name: string) {
  return { severity_id: id, severity: name }
}
