// Schemas that are made when they are first used. A start imports the schemas of every kind of fact
// and reads few: to make them all costs it more than to import them.
import { z } from 'zod'

/**
 * The schema that `make` returns, which is called when something is first asked of it. What is
 * returned then becomes the schema in place, since others may have it as a part.
 */
export function later<S extends z.ZodType>(make: () => S): S
export function later(make: () => z.ZodType): object {
  const schema = {}
  let isAsked = false
  // As zod clones a schema, but for the object that it makes of it.
  const become = (): void => {
    if (isAsked) throw new Error('a schema is asked while it is made')
    isAsked = true
    const made = make()
    const { constr, def } = made._zod
    Reflect.setPrototypeOf(schema, Reflect.getPrototypeOf(made))
    Reflect.apply(constr, schema, [def])
    if (schema instanceof z.ZodType) schema._zod.parent = made
  }
  const unmade = new Proxy(
    {},
    {
      get(_target, key) {
        become()
        const member: unknown = Reflect.get(schema, key)
        return member
      },
      has(_target, key) {
        become()
        return Reflect.has(schema, key)
      },
    },
  )
  Reflect.setPrototypeOf(schema, unmade)
  return schema
}
