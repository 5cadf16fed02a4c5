// A name as one part of a JSON pointer (RFC 6901), where `~` and `/` are written another way.

export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

export function tokenName(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}
