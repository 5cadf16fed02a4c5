// Answers a request over HTTP by the table of operations: what stands in its path and query are
// texts, and what is refused has a status.
import { Fault } from '#record/fault'
import { Refusal, requestInvalid } from '#serving/problem'
import type { FaultCode } from '#schemas/faults/registry'
import { valuesIn, type Texts } from '#schemas/operations/fields'
import { operations, type OperationName } from '#schemas/operations/table'
import type { RealmAsked } from './answering.ts'
import { askRealm } from './answers.ts'

/** Throws a Refusal, or what has a status already. */
export async function answerRequest(
  name: OperationName,
  asking: RealmAsked,
  texts: Texts,
): Promise<object> {
  const { [name]: asked } = operations
  try {
    return (await askRealm(name, asking, valuesIn(asked, texts))).answer
  } catch (error) {
    throw refusalOf(error)
  }
}

const statuses: Partial<Record<FaultCode, number>> = {
  reader_refused: 403,
  unknown_principal: 404,
  name_unknown: 404,
  no_grant: 404,
  no_review: 404,
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof Fault) || error instanceof Refusal) return error
  const { code, message } = error
  if (code === 'usage') return requestInvalid(400, message)
  const { [code]: status } = statuses
  return status === undefined ? error : new Refusal(status, code, message)
}
