// A fault that came up once an intent was published, or may have been: with its address, so that
// its verdict can be looked up, and it is not asked for a second time.
import { Fault } from '#record/fault'
import { Pending } from './pending.ts'

export class IntentFault extends Fault {
  /** The address of the intent. */
  readonly intent: string

  constructor(intent: string, fault: Fault) {
    const { code, message, retry } = fault
    const named = message.includes(intent) ? message : `${message} (intent \`${intent}\`)`
    super(code, named, { retry, cause: fault })
    this.intent = intent
  }
}

/** Does it, and gives a fault the address of the intent that it is about. */
export async function about<T>(intent: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const isNamed = error instanceof IntentFault || error instanceof Pending
    throw error instanceof Fault && !isNamed ? new IntentFault(intent, error) : error
  }
}
