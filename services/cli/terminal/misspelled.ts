// Warns of a variable of the environment that nothing reads, where it looks like a setting.
import { environment } from '#wiring/environment'
import { misspelled } from '#wiring/misspelled'
import { note } from './terminal.ts'

export async function warnOfMisspelled(): Promise<void> {
  for (const { name, meant } of await misspelled(environment())) {
    note(`warrant: ${name} is not a setting: did you mean ${meant.join(' or ')}?`)
  }
}
