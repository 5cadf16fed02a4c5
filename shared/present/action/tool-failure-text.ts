// Each way in which a tool can fail in English, with what to do about it.
import type { ToolFailureCode } from '#schemas/action/tool-failure'

/** Null for a code that no driver gives. */
export function toolFailureText(code: string): string | null {
  return isCode(code) ? texts[code] : null
}

function isCode(code: string): code is ToolFailureCode {
  return Object.hasOwn(texts, code)
}

const fixDriver = '`warrant catalog show` prints the driver'

const texts: Readonly<Record<ToolFailureCode, string>> = {
  driver_invalid: `the gateway cannot run this driver: ${fixDriver}`,
  package_missing: 'a package that the driver needs is not installed where the gateway runs',
  unknown_operation: 'the gateway was started without a function of that name',
  unknown_server: 'the catalog has no server of that name',
  unknown_tool: 'the server has no tool of that name any more',
  tool_changed:
    'the server describes the tool in another way than was approved: `warrant catalog check`',
  argument_missing:
    'the driver names an argument that the call lacks: give it a default in `argsSchema`',
  argument_unsafe: 'an argument would be read as more than a value, such as a path or an option',
  argument_unused:
    'the driver sends an argument of the call nowhere: name it as `${args:/…}` in the driver',
  secret_missing: 'the gateway lacks a secret that the driver names: see `WARRANT_SECRETS`',
  secret_invalid: 'a secret that the driver names cannot be used: see `WARRANT_SECRETS`',
  url_blocked: 'the address may not be reached: `privateHosts` of the driver lists what may',
  unresolved: 'the name of the host leads to no address',
  unreachable: 'the server took no connection',
  spawn_failed: 'the program cannot be started',
  timed_out: 'it took longer than `execution.timeoutMs`',
  cancelled: 'it was cancelled',
  connection_lost: 'the connection ended before the answer was there',
  redirected: 'the server redirected, which the driver does not follow',
  http_status: 'the server answered that it failed',
  exit_code: 'the program answered that it failed',
  killed: 'the program was killed',
  tool_error: 'the tool answered that it failed',
  protocol_error: 'what came back is not what the protocol says',
  result_too_large: 'the result is larger than `execution.bytesMax`',
  result_invalid: 'what came back cannot be read as a result',
}
