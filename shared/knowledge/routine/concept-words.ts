// What the concepts of the rules for commands mean, for a person who does not know their names: as
// it goes on after "it". `seeds/shell/graph.json` says the same at length.

const does: ReadonlyMap<string, string> = new Map([
  ['background.run', 'goes on in the background'],
  ['code.run', 'runs code that is not judged here'],
  ['content.unseen', 'writes what no one can be shown'],
  ['destroy.inside', 'deletes files of the project, or their history'],
  ['destroy.outside', 'deletes or overwrites what is outside the project'],
  ['destroy.remote', 'destroys what a service or a database holds'],
  ['destroy.temporary', 'deletes temporary files'],
  ['destroy.unknown', 'deletes files of which it is not known where they are'],
  ['discard.work', 'throws away changes or commits'],
  ['environment.set', 'sets a variable of which it is not known what it changes'],
  ['guard.change', 'changes what guards this agent'],
  ['harmless', 'does what no one is asked about'],
  ['machine.secret', 'reads or changes passwords of the machine, or what that runs by itself'],
  ['network.fetch', 'asks an address on the network'],
  ['network.query', 'asks a service, and changes nothing there'],
  ['network.read', 'reads what a service holds'],
  ['network.send', 'sends something over the network'],
  ['outside.own', 'keeps outside the project to your own or temporary files'],
  ['privilege.raise', 'runs something as another user'],
  ['process.end', 'ends processes'],
  ['read.inside', 'reads files of the project'],
  ['read.outside', 'reads files outside the project'],
  ['read.recursive', 'searches folders with all that is below'],
  ['read.system', 'reads the state of the machine'],
  ['sandbox.off', 'runs outside the sandbox'],
  ['secret.read', 'reads what looks like a secret'],
  ['secret.send', 'sends secrets out'],
  ['shell.command', 'runs a command, or handles files'],
  ['shell.open', 'opens a shell that takes whatever comes next'],
  ['unknown.command', 'runs a command that is not known'],
  ['unknown.option', 'has an option that is not known'],
  ['unknown.value', 'has an argument that may turn out to be an option'],
  ['unparsed.command', 'cannot be read as a command'],
  ['write.inside', 'makes or changes files of the project'],
  ['write.outside', 'makes or changes files outside the project'],
  ['write.system', 'changes the machine'],
])

/** In words; one that the shipped rules do not have stands for itself. */
export function conceptWords(concept: string): string {
  return does.get(concept) ?? `is \`${concept}\``
}
