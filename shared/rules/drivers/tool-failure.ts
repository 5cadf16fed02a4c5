// What a driver throws. Its message is the code alone: the words of a tool stand in `detail.text`,
// bounded and without secrets, and only a firewall may pass them on.
import type { JsonObject } from '#schemas/catalog'
import type { Happened, ToolFailureCode } from '#schemas/action/tool-failure'

export class ToolFailure extends Error {
  readonly code: ToolFailureCode
  /** Parameters of the code, and `text`: what the tool wrote, not yet redacted. */
  readonly detail: JsonObject
  readonly happened: Happened

  constructor(code: ToolFailureCode, happened: Happened, detail: JsonObject = {}) {
    super(code)
    this.name = 'ToolFailure'
    this.code = code
    this.happened = happened
    this.detail = detail
  }
}
