// Colours, on a terminal that has them and where nobody has said no. What is written to a file or a
// pipe never has any.
import pc from 'picocolors'

const { env, stdout } = process

export const colours = pc.createColors(
  stdout.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb',
)
