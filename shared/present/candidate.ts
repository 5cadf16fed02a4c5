// Why a candidate, or a model's answer, cannot be used, in words.
import { unreachable } from '#record/fault'
import { listed, quoted } from '#record/quote'
import { describeJsonFault } from '#record/json-fault'
import type { CandidateProblem, SuggestionFault } from '#schemas/learning'

/** One phrase, with how to fix it where that is not plain. */
export function problemText({ code, params }: CandidateProblem): string {
  const { name = '', names = [], level, edge, type, bytesMax, refused } = params
  const levelOf = `level ${level ?? '?'} of ${quoted(name)}`
  switch (code) {
    case 'gap_closed':
      return 'what was missing is known by now'
    case 'candidate_too_large':
      return `it has more than ${bytesMax} bytes: shorten it`
    case 'edge_missing':
      return 'an edge is asked for: say which'
    case 'edge_known':
      return `${quoted(edge?.source ?? '')} is ${type} ${quoted(edge?.target ?? '')} already`
    case 'edge_unasked':
      return 'levels are asked for, and no edge: leave it out'
    case 'edge_elsewhere':
      return type === undefined
        ? `the edge must tie ${quoted(name)} to ${listed(names, 'or')}, or to what those need`
        : `a ${type} edge is asked for, from ${listed(names, 'or')}`
    case 'edge_to_itself':
      return `an edge from ${quoted(name)} to itself ties nothing: name two primitives`
    case 'primitive_unasked': {
      const asked =
        names.length === 0
          ? 'no level is missing'
          : `levels of ${listed(names, 'and')} are asked for`
      return `${asked}, and not of ${quoted(name)}`
    }
    case 'level_missing':
      return `${levelOf} is missing, and levels may have no hole`
    case 'level_known':
      return `${levelOf} is known already: it is not replaced by this`
    case 'level_above_need':
      return `${levelOf} is more than the gap needs: leave it out`
    case 'level_repeated':
      return `${levelOf} is given twice: merge the two`
    case 'level_empty':
      return `${levelOf} is empty: give it properties`
    case 'graph_refuses':
      return `the graph does not take it: ${refused ?? 'refused'}`
    case 'gap_left':
      return 'with it, the gap would still be there'
    default:
      return unreachable(code)
  }
}

/** Why a model's answer cannot be used. */
export function suggestionFaultText({ code, params }: SuggestionFault): string {
  const { ms, status, bytesMax, path, json, fault, problem } = params
  switch (code) {
    case 'no_answer':
      return 'the model server does not answer'
    case 'timed_out':
      return `the model did not answer within ${ms} ms`
    case 'http_status':
      return `the model server answers HTTP ${status}${statusHint(status ?? 0)}`
    case 'too_large':
      return `the answer is larger than ${bytesMax} bytes`
    case 'not_json':
      return json === undefined
        ? 'the answer is not JSON'
        : `the answer cannot be read: ${describeJsonFault({ code: json })}`
    case 'not_a_chat':
      return 'the answer of the model server is not a chat response of Ollama'
    case 'ill_formed':
      return `the answer is not a candidate: ${fault ?? 'invalid'} at ${path ?? '/'}`
    case 'unsound':
      return problem === undefined ? 'the answer closes no gap' : problemText(problem)
    default:
      return unreachable(code)
  }
}

function statusHint(status: number): string {
  if (status === 404) return ': it may not have that model'
  return status >= 300 && status < 400 ? ': redirects are not followed' : ''
}
