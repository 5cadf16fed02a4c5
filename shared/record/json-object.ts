// Whether a JSON value is an object, and no list.
import type { JsonObject, JsonValue } from '#schemas/catalog'

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
