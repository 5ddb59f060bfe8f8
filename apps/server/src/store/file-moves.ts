import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  readdir,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/**
 * Makes a small file with its folder, whole or not at all: several processes that do so at once all read the content of
 * the first afterwards. A file that is there stays.
 */
export async function writeOnce(path: string, content: string, mode = 0o666): Promise<void> {
  const partial = `${path}.${randomBytes(6).toString('hex')}`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(partial, content, { mode, flush: true })
  try {
    await link(partial, path)
      // No hard links here, as on some network shares.
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') throw error
        return writeFile(path, content, { mode, flag: 'wx', flush: true })
      })
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
  } finally {
    await rm(partial, { force: true })
  }
}

/** SHA-256 of a file's content. */
export async function hashFile(path: string): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest()
}

/** `name` with something before its extension. */
export const withSuffix = (name: string, suffix: string) =>
  `${basename(name, extname(name))}.${suffix}${extname(name)}`

/**
 * Gives a file, or a folder with all that is in it, the rights of what this process creates itself: who delivered it may
 * have left it open to others. What another account owns stays as it is.
 */
export async function takeOver(path: string): Promise<void> {
  const { mode, isDirectory } = await lstat(path).then((info) => ({
    mode: info.mode,
    isDirectory: info.isDirectory(),
  }))
  // A folder keeps the bit by which its entries take over its group.
  const rights = ((isDirectory ? 0o777 : 0o666) & ~process.umask()) | (mode & 0o2000)
  if ((mode & 0o7777) !== rights) await chmod(path, rights).catch(() => undefined)
  if (isDirectory) for (const name of await readdir(path)) await takeOver(join(path, name))
}

/**
 * Moves a file without ever overwriting another: afterwards it is at exactly one of the two places, and
 * after a kill in between at both, which a repetition sets right.
 * @returns false when something else lies at the destination; the file then stays where it is
 */
async function moveWithoutOverwriting(from: string, to: string): Promise<boolean> {
  try {
    // The folder is there for all files of a day but the first.
    await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      await mkdir(dirname(to), { recursive: true })
      await link(from, to)
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'ENOENT') throw error
    // No hard links here (another disk, a network share): copy under a name of its own first.
    if (await exists(to)) return false
    await mkdir(dirname(to), { recursive: true })
    const part = `${to}.${process.pid}.part`
    try {
      await copyFile(from, part)
      await rename(part, to)
    } catch (failure) {
      await rm(part, { force: true })
      throw failure
    }
  }
  await unlink(from)
  await takeOver(to)
  return true
}

/**
 * Puts an original in its place in the archive. When the very same content lies there already, the file
 * is only taken away.
 */
export async function archiveFile(from: string, to: string): Promise<void> {
  for (;;) {
    if (await moveWithoutOverwriting(from, to)) return
    const [mine, theirs] = await Promise.all([hashFile(from), hashFile(to)])
    if (mine.equals(theirs)) {
      await unlink(from)
      return
    }
    to = join(dirname(to), withSuffix(basename(to), mine.toString('hex').slice(0, 8)))
  }
}

/** Puts a refused file aside with the reason beside it. */
export async function rejectFile(
  from: string,
  folder: string,
  name: string,
  reason: string,
): Promise<string> {
  await mkdir(folder, { recursive: true })
  for (let n = 0; ; n++) {
    const to = join(folder, n === 0 ? name : withSuffix(name, String(n + 1)))
    const note = `${to}.reason.txt`
    if ((await exists(to)) || (await exists(note))) continue
    // The reason first: a file without one would be a riddle after a kill.
    let moved = false
    try {
      await writeFile(note, reason)
      moved = await moveWithoutOverwriting(from, to)
    } finally {
      if (!moved) await rm(note, { force: true })
    }
    if (moved) return to
  }
}
