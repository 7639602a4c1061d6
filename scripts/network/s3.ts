/** The S3 simulator as a process that may be killed: objects are in a folder. Arguments: port, folder. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { simulateS3 } from '../../apps/server/src/testing/s3.ts'

/** A map whose entries are files; an entry is there as a whole or not at all. */
class Folder extends Map<string, Buffer> {
  readonly #dir: string

  constructor(dir: string) {
    super()
    this.#dir = dir
    mkdirSync(dir, { recursive: true })
    for (const name of readdirSync(dir).filter((one) => !one.endsWith('.part')))
      super.set(decodeURIComponent(name), readFileSync(join(dir, name)))
  }

  override set(key: string, value: Buffer): this {
    const path = join(this.#dir, encodeURIComponent(key))
    writeFileSync(`${path}.part`, value)
    renameSync(`${path}.part`, path)
    return super.set(key, value)
  }

  override delete(key: string): boolean {
    rmSync(join(this.#dir, encodeURIComponent(key)), { force: true })
    return super.delete(key)
  }
}

const [port, dir] = process.argv.slice(2)
await simulateS3('clinic', { port: Number(port), objects: new Folder(dir as string) })
