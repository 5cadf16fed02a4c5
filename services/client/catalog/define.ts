// `warrant-runtime/catalog`: a catalog written in TypeScript, checked as it is typed, whose
// argument schemas are those that the tools have in zod. It returns the content of `catalog.json`.
import { fileProblem } from '#system/file-problem'
import { z } from 'zod'
import { argsSchemaFault } from '#rules/catalog/arguments'
import type { CatalogRefusal } from '#rules/catalog/catalog'
import { catalogFromFile, parseCatalogFile } from '#rules/catalog/catalog-file'
import { Fault } from '#record/fault'
import { JsonObject, type CatalogFile } from '#schemas/catalog'

type Written = z.input<typeof CatalogFile>
type WrittenCapability = NonNullable<Written['capabilities']>[number]
type WrittenConfirmation = NonNullable<Written['confirmations']>[number]
type WrittenPrincipal = NonNullable<Written['principals']>[number]

/** A schema of zod 4, by whichever copy of zod a program has. */
export interface ZodSchema {
  readonly _zod: { readonly def: { readonly type: string } }
}

export interface DefinedCapability<Confirmation extends string = string> extends Omit<
  WrittenCapability,
  'argsSchema' | 'confirmation'
> {
  /** What its arguments must be; in place of `argsSchema`. */
  readonly args?: ZodSchema
  readonly argsSchema?: WrittenCapability['argsSchema']
  /** One of the confirmations that are defined here. */
  readonly confirmation?: Confirmation
}

export interface DefinedCatalog<Person extends string, Confirmation extends string> extends Omit<
  Written,
  'capabilities' | 'confirmations' | 'principals'
> {
  readonly principals?: readonly (Omit<WrittenPrincipal, 'id' | 'owner'> & {
    readonly id: Person
    /** One of the principals that are defined here. */
    readonly owner?: NoInfer<Person>
  })[]
  readonly confirmations?: readonly (Omit<WrittenConfirmation, 'id'> & {
    readonly id: Confirmation
  })[]
  readonly capabilities?: readonly DefinedCapability<NoInfer<Confirmation>>[]
}

/**
 * The content of `catalog.json`. Throws a Fault that names the place of what is wrong; owners and
 * confirmations that are not defined are mistakes of types already.
 */
export function defineCatalog<
  const Person extends string = never,
  const Confirmation extends string = never,
>(definition: DefinedCatalog<Person, Confirmation>): CatalogFile {
  const { capabilities = [], ...rest } = definition
  const { file, refused } = parseCatalogFile({ ...rest, capabilities: capabilities.map(written) })
  if (refused !== undefined) throw faultOf(refused)
  // What it names must be in it, and its conditions must come to a truth value.
  const wrong = catalogFromFile(file).refused
  if (wrong !== undefined) throw faultOf(wrong)
  return file
}

function faultOf({ code, at, message }: CatalogRefusal): Fault {
  return new Fault(code, at === '' ? message : `${at}: ${message}`)
}

function written({ args, ...rest }: DefinedCapability): object {
  if (args === undefined) return rest
  if (rest.argsSchema !== undefined) {
    const message = `capabilities/${rest.id}: it has \`args\` and \`argsSchema\`: keep one of them`
    throw new Fault('args_schema_invalid', message)
  }
  return { ...rest, argsSchema: argsSchemaOf(args, rest.id) }
}

/**
 * The JSON Schema of what a zod schema takes. An object takes no property that it does not name,
 * unless it is loose.
 */
export function argsSchemaOf(args: ZodSchema, id: string): JsonObject {
  const schema = jsonSchemaOf(args, id)
  const fault = argsSchemaFault(schema)
  if (fault === null) return schema
  throw new Fault('args_schema_invalid', `capabilities/${id}/args: ${fault}`)
}

const isSchema = (args: ZodSchema): args is z.core.$ZodType & ZodSchema =>
  typeof args._zod.def.type === 'string'

function jsonSchemaOf(args: ZodSchema, id: string): JsonObject {
  if (!isSchema(args)) {
    throw new Fault('args_schema_invalid', `capabilities/${id}/args: it is no schema of zod 4`)
  }
  try {
    const { $schema: _, ...schema } = z.toJSONSchema(args, {
      target: 'draft-2020-12',
      io: 'input',
      override: ({ jsonSchema, zodSchema }) => {
        const { def } = zodSchema._zod
        // As input zod drops what it does not know; here it is refused, and the call with it.
        if (def.type === 'object' && !('catchall' in def && def.catchall !== undefined)) {
          jsonSchema.additionalProperties = false
        }
      },
    })
    return JsonObject.parse(schema)
  } catch (cause) {
    const why = fileProblem(cause, 'it cannot be written')
    const message = `capabilities/${id}/args: no JSON Schema says the same: ${why}`
    throw new Fault('args_schema_invalid', message, { cause })
  }
}

export interface ZodTool {
  readonly description?: string
  /** What its arguments must be; absent where it takes none. */
  readonly args?: ZodSchema
}

export interface ListedTools {
  readonly from: 'zod'
  readonly tools: readonly {
    readonly name: string
    readonly description: string
    readonly inputSchema: JsonObject
  }[]
}

const noArguments = { type: 'object', additionalProperties: false }

/**
 * Tools by their names, as a list that `warrant catalog import` and `warrant catalog check` read:
 * print it as JSON.
 */
export function listTools(tools: Readonly<Record<string, ZodTool>>): ListedTools {
  const listed = Object.entries(tools).map(([name, { description = '', args }]) => {
    const inputSchema = args === undefined ? noArguments : argsSchemaOf(args, name)
    return { name, description, inputSchema }
  })
  return { from: 'zod', tools: listed }
}
