// Each fault of a check in English: a phrase about the callback or the condition.
import { unreachable } from '#record/fault'
import type { CallbackFault, NotRepeatable } from '#schemas/callbacks'
import { quoted } from '#record/quote'

/** What is wrong, and how to go on, where something counts within a session alone. */
export const sessionMissing =
  'the call is in no session: make it in one ' +
  '(`session`; `--session` of `warrant ask`; `session_id` of a message)'

/** Why the check of a rule did not answer. */
export function faultText({ code, params }: CallbackFault): string {
  switch (code) {
    case 'module_unpinned':
      return 'the catalog names no callback module'
    case 'module_missing':
      return 'the callback module that the catalog names is not here'
    case 'module_invalid':
      return 'the callback module is not one readable file'
    case 'callback_missing':
      return 'the module exports no such function'
    case 'threw':
      return params.error === undefined ? 'it threw no error' : `it threw ${quoted(params.error)}`
    case 'timed_out':
      return `it did not answer within ${params.ms} ms`
    case 'answer_invalid':
      return 'it did not answer { passed, message?, applies? }'
    case 'answer_not_json':
      return 'its answer is not JSON'
    case 'answered_promise':
      return 'it answered a promise, which only a recorded callback may'
    case 'not_repeatable':
      return `it asked for what differs from run to run: ${unrepeatable[params.what]}`
    case 'thread_failed':
      return 'its thread died of it'
    case 'not_called':
      return 'it was not called'
    case 'condition_invalid':
      return 'its condition cannot be read, or names what is not there'
    case 'condition_failed':
      return 'its condition has no value for this call: `has(…)` asks for what may be missing'
    case 'condition_sessionless':
      return `its condition reads what was done before (\`acts\`), and ${sessionMissing}`
    case 'condition_actless':
      return (
        'its condition reads what was done before (`acts`), which is not known of a call that is ' +
        'judged alone or asks about another'
      )
    case 'condition_unconverted':
      return 'its condition converts a text that is no such number, time or bool as CEL writes it'
    case 'condition_too_costly':
      return 'its condition would take too many steps for this call'
    default:
      return unreachable(code)
  }
}

const unrepeatable: Readonly<Record<NotRepeatable, string>> = {
  time: 'the time of day',
  zone: 'a time without its zone',
  local_time: 'local time',
  randomness: 'randomness',
  locale: 'the locale',
  code: 'code made of text',
}
