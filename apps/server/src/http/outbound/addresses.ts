import { BlockList, isIP } from 'node:net'

/** Addresses that are of no public host (IANA special-purpose registries, read 2026). */
const PRIVATE_V4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
]
/** Those that carry an IPv4 address within are refused as a whole. */
const PUBLIC_V6 = ['2000::/3']
const PRIVATE_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address, bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return list
}

const private4 = listOf(PRIVATE_V4)
const public6 = listOf(PUBLIC_V6)
const private6 = listOf(PRIVATE_V6)

/** Whether an address is of the public internet. */
export function isPublic(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !private4.check(address, 'ipv4')
  return family === 6 && public6.check(address, 'ipv6') && !private6.check(address, 'ipv6')
}

/** Addresses that the operator lets calls go to though they are private: `10.1.2.3`, `10.1.0.0/16`. */
export function allowedBy(networks: readonly string[]): (address: string) => boolean {
  const list = listOf(networks)
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Whether a text names an address or a network. */
export function isNetwork(text: string): boolean {
  const [address, bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32))
}
