// What the process says to its caller when it ends.
export const exitCodes = {
  yes: 0,
  fault: 1,
  usage: 2,
  denied: 3,
  noVerdict: 4,
  differs: 5,
  badLines: 6,
  unchecked: 7,
} as const
