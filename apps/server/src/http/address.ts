import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'

/** The network that stands for one caller: an IPv4 address, or the /64 that an IPv6 customer has as a whole. */
export function networkOf(ip: string): string {
  const address = ip.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return isIPv6(address) ? prefix64(address) : address
}

function prefix64(address: string): string {
  const [head, tail] = address.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length)
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...rest]
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

/**
 * The caller's network of requests that Fastify does not see, by the same rule as its `request.ip`.
 * @param trustProxy proxies whose `X-Forwarded-For` is believed, comma-separated; false for none
 */
export function callerNetwork(trustProxy: string | false): (request: IncomingMessage) => string {
  const trusted =
    trustProxy === false ? () => false : proxyAddr.compile(trustProxy.split(',').map((part) => part.trim()))
  return (request) => networkOf(proxyAddr(request, trusted) ?? '')
}
