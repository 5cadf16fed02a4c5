// Prints the names of all commands that there are, as JSON. The package has no module for that.
import { buildProgram } from '#cli/program'

function commandsBelow(command, above = []) {
  return command.commands.flatMap((one) => {
    const path = [...above, one.name()]
    const below = commandsBelow(one, path)
    // One with commands below may do something on its own, too.
    return one._actionHandler === null ? below : [path.join(' '), ...below]
  })
}

process.stdout.write(`${JSON.stringify(commandsBelow(await buildProgram()))}\n`)
