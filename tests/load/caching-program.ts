/** `node caching-program.ts ORIGIN`: the small caching proxy as a process of its own. Prints its address. */
import { startCachingProxy } from './caching-proxy.ts'

const proxy = await startCachingProxy(process.argv[2])
process.on('SIGTERM', () => void proxy.close().then(() => process.exit(0)))
console.log(proxy.url)
