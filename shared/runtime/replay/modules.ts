// A replay without the callback modules that decided would find differences everywhere, and none of
// them would be one: it stops, and names what is missing.
import { Fault } from '#core/kernel/fault'
import type { Callbacks } from '#ports/callbacks'
import type { Fact } from '#ports/log'
import { text } from './recorded-stamp.ts'

/** Throws a Fault `module_missing` where the fact was decided by a module that is not here. */
export function demandingModules(callbacks: Callbacks, fact: Fact): Callbacks {
  return {
    run: async (call) => {
      const outcome = await callbacks.run(call)
      const isMissing = 'fault' in outcome && outcome.fault.code === 'module_missing'
      // Where it was missing when it was asked, the fact records that, and derives.
      if (!isMissing || text(fact.bytes).includes('"code":"module_missing"')) return outcome
      const what = `the callback module \`${call.module ?? ''}\``
      const why = `by which \`${fact.name}\` was decided, is not here as it was pinned`
      throw new Fault('module_missing', `${what}, ${why}`)
    },
    close: () => callbacks.close(),
  }
}
