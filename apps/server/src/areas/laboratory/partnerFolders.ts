/**
 * Exchange with a partner over two folders, as laboratories offer it by SFTP: orders are written to `out`, reports are
 * read from `in`. What carries the files (an SFTP client, a mounted share) belongs to the owner of the server. A stored
 * report goes to `in/done`, one that is not understood or of an unknown order to `in/failed`.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PartnerAdapter, type PartnerOrder, PartnerRefusal, PartnerSilence } from './partnerAdapter.ts'
import { readReports, writeOrder } from './partnerHl7.ts'

/** Milliseconds for which a file must not have changed: it may still be arriving. */
const SETTLED_MS = 5_000
const MAX_BYTES = 20 * 1024 * 1024
/** Files of a round. */
const MOST = 500
const isReport = (name: string): boolean => /\.(hl7|oru|txt|msg)$/i.test(name) && !name.startsWith('.')
/** ORC-2 of common systems holds 50 characters. */
const MAX_NUMBER = 50

const numberOf = (key: string): string =>
  key.length <= MAX_NUMBER ? key : `lab-${createHash('sha256').update(key).digest('hex').slice(0, 24)}`

/** @param folder absolute @param clientCode the clinic's code at the partner */
export function folderPartner({ folder, clientCode }: { folder: string; clientCode: string }): PartnerAdapter {
  const [out, incoming] = [join(folder, 'out'), join(folder, 'in')]

  /** A client of the folder sees a file only when it is complete. */
  const write = (name: string, text: string) =>
    onDisk(async () => {
      await mkdir(out, { recursive: true })
      const path = join(out, name)
      await writeFile(`${path}.part`, text, { mode: 0o640 })
      await rename(`${path}.part`, path)
    })

  const putAway = async (name: string, to: 'done' | 'failed') => {
    const target = join(incoming, to)
    await mkdir(target, { recursive: true })
    await rename(join(incoming, name), join(target, `${Date.now()}-${name}`))
  }

  return {
    async createOrder(order: PartnerOrder) {
      if (order.samples.every(({ codes }) => codes.length === 0)) throw new PartnerRefusal('В заказе нет исследований')
      const number = numberOf(order.key)
      await write(`ORM-${number}.hl7`, writeOrder(number, 'NW', order, clientCode, Date.now()))
      return { externalNumber: number }
    },
    async cancelOrder(number) {
      const nothing = { samples: [], patient: { sex: null, birthday: null } }
      await write(`ORM-${number}-CA.hl7`, writeOrder(number, 'CA', nothing, clientCode, Date.now()))
    },
    async collect(take) {
      for (const { name, path, size } of await onDisk(() => arrived(incoming))) {
        const reports = size > MAX_BYTES ? undefined : readReports(await onDisk(() => readFile(path)))
        const fates = new Set<'taken' | 'unknown' | 'later'>(reports?.length ? [] : ['unknown'])
        for (const report of reports ?? []) fates.add(await take(report))
        if (!fates.has('later')) await onDisk(() => putAway(name, fates.has('unknown') ? 'failed' : 'done'))
      }
    },
  }
}

/** Whole files, the oldest first. */
async function arrived(folder: string) {
  await mkdir(folder, { recursive: true })
  const names = (await readdir(folder)).filter(isReport).slice(0, MOST)
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const { size, mtimeMs } = await stat(path)
      return { name, path, size, mtimeMs }
    }),
  )
  return files
    .filter(({ mtimeMs }) => Date.now() - mtimeMs >= SETTLED_MS)
    .toSorted((a, b) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1))
}

/** A folder that cannot be reached is the partner's silence, not a fault of ours. */
async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new PartnerSilence('The folder cannot be reached', { cause: error })
  }
}
