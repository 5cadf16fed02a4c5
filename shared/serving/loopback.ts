// Whether an address is that of this machine alone.

/** By its name or address, as `--listen` takes it. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.[0-9]{1,3}){3}$/.test(host)
}
