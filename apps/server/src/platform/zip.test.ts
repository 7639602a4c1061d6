import { expect, it } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import { ReadRefusal } from './answerReading.ts'
import { checkedZip, openStoredZip, packed } from './zip.ts'

const limits = { maxEntries: 100 }

/** An archive that counts what is read of it. */
function kept(bytes: Buffer) {
  const reads: [start: number, length: number][] = []
  const readPart = async (start: number, length: number) => {
    reads.push([start, length])
    return bytes.subarray(start, start + length)
  }
  return { reads, open: () => openStoredZip(readPart, bytes.length, limits) }
}

const archive = (files: Record<string, string | Buffer>) =>
  packed(new Map(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)])))

const placed = (zip: Awaited<ReturnType<typeof openStoredZip>>, ...names: string[]) =>
  names.map((name) => zip.files.findIndex((file) => file.name === name))

it('reads the directory and the files that are asked for, those beside each other at once', async () => {
  const far = Buffer.alloc(200_000, 'x')
  const { reads, open } = kept(archive({ 'a.txt': 'Первый', 'b.txt': 'Второй', 'far.bin': far, 'c.txt': 'Третий' }))
  const zip = await open()
  const before = reads.length
  const contents = await zip.read(placed(zip, 'c.txt', 'a.txt', 'b.txt'), 1_000)
  expect(contents.map(String)).toEqual(['Третий', 'Первый', 'Второй'])
  expect(reads.length - before).toBe(2)
  expect(reads.slice(before).every(([, length]) => length < 1_000)).toBe(true)
})

it('unpacks what a spreadsheet program has packed', async () => {
  const made = await writeXlsxFile([[{ value: 'Пациент' }]] as never)
  const bytes = Buffer.from(await made.toBuffer())
  const whole = checkedZip(bytes, { maxBytes: 1_000_000, maxEntries: 100 })
  const zip = await kept(bytes).open()
  const contents = await zip.read(
    zip.files.map((_, at) => at),
    1_000_000,
  )
  expect(zip.files.map(({ name }) => name)).toEqual([...whole.keys()])
  expect(contents).toEqual([...whole.values()])
})

it('reads Russian names that Windows has written', async () => {
  const bytes = archive({ 'AAAA.txt': 'Выписка' })
  const dos = Buffer.from([0xe4, 0xa0, 0xa9, 0xab])
  for (let at = bytes.indexOf('AAAA'); at >= 0; at = bytes.indexOf('AAAA')) dos.copy(bytes, at)
  const zip = await kept(bytes).open()
  expect(zip.files).toMatchObject([{ name: 'файл.txt' }])
})

it('refuses a file that is larger than declared, and no other', async () => {
  const bytes = archive({ 'a.txt': 'длинный текст', 'b.txt': 'Второй' })
  bytes.writeUInt32LE(3, bytes.indexOf('PK\x01\x02', undefined, 'latin1') + 24)
  const zip = await kept(bytes).open()
  const [a, b] = await zip.read(placed(zip, 'a.txt', 'b.txt'), 1_000)
  expect(a).toBeInstanceOf(ReadRefusal)
  expect(String(b)).toBe('Второй')
})

it('reports that an archive is cut, or has too many files', async () => {
  const bytes = archive({ 'a.txt': 'Первый', 'b.txt': 'Второй' })
  await expect(kept(bytes.subarray(0, bytes.length - 30)).open()).rejects.toThrow('архив обрывается')
  await expect(
    openStoredZip(async (start, length) => bytes.subarray(start, start + length), bytes.length, { maxEntries: 1 }),
  ).rejects.toThrow('слишком велик')
})
