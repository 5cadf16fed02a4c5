// The codes by which a driver reports that a call came to nothing, or to nothing that can be used.
import { z } from 'zod'

export const ToolFailureCode = z.enum([
  /** The catalog's driver, server or template is not one that can be run. */
  'driver_invalid',
  /** A library that the driver needs is not installed. */
  'package_missing',
  'unknown_operation',
  'unknown_server',
  'unknown_tool',
  /** Its author says something else of it than what was approved. */
  'tool_changed',
  /** A template names an argument that is absent. */
  'argument_missing',
  /** A value would become more than a value: a path, an option, another header. */
  'argument_unsafe',
  /** An argument that nothing would send: what runs would not be what was judged. */
  'argument_unused',
  'secret_missing',
  'secret_invalid',
  /** `detail.reason` is that of the URL rules. */
  'url_blocked',
  'unresolved',
  'unreachable',
  'spawn_failed',
  'timed_out',
  'cancelled',
  'connection_lost',
  'redirected',
  'http_status',
  'exit_code',
  'killed',
  /** The tool answered that it failed. */
  'tool_error',
  'protocol_error',
  'result_too_large',
  'result_invalid',
])
export type ToolFailureCode = z.infer<typeof ToolFailureCode>

/** Whether the call did anything: surely not, the tool answered, or it cannot be known. */
export const Happened = z.enum(['no', 'yes', 'unknown'])
export type Happened = z.infer<typeof Happened>
