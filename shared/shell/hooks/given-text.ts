// All that a tool was given, as the text whose digest an approval binds: what is free in the table
// of tools is no part of it.
import type { JsonObject } from '#schemas/catalog'
import { canonical, jsonOf } from '#record/canonical'

export function givenText(args: JsonObject, { free }: { readonly free: string }): string {
  return canonical(jsonOf(without(args, new Set(free.split(' ')))))
}

export function without(args: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.has(name)))
}
