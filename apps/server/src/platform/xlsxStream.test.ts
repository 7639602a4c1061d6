import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import readXlsxFile from 'read-excel-file/node'
import { expect, it } from 'vitest'
import { type StreamedSheet, xlsxStream } from './xlsxStream.ts'
import { writableXml } from './xml/text.ts'
import { checkedZip } from './zip.ts'

async function* each<T>(...all: T[]): AsyncGenerator<T, void> {
  yield* all
}
const sheet = (name: string, ...parts: string[][][]): StreamedSheet => ({
  name,
  widths: [8, 40],
  head: ['Строка', 'Почему'],
  rows: each(...parts),
})
const written = (...sheets: StreamedSheet[]) => buffer(xlsxStream(each(...sheets)))

it('writes what a spreadsheet program reads: sheets in order, rows of all parts, empty cells', async () => {
  const file = await written(
    sheet(
      '1 Визиты',
      [
        ['1', 'нет врача'],
        ['2', ''],
      ],
      [['3', '<&"> ёжик 🦔']],
    ),
    sheet('2 Дети: [дом]', [['7', '=1+1']]),
  )
  expect(await readXlsxFile(file)).toEqual([
    {
      sheet: '1 Визиты',
      data: [
        ['Строка', 'Почему'],
        ['1', 'нет врача'],
        ['2', null],
        ['3', '<&"> ёжик 🦔'],
      ],
    },
    {
      sheet: '2 Дети   дом ',
      data: [
        ['Строка', 'Почему'],
        ['7', '=1+1'],
      ],
    },
  ])
})

it('keeps any text that XML can hold', async () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(text, { minLength: 40, maxLength: 40 }), { minLength: 1, maxLength: 3 }),
      async (rows) => {
        const zip = checkedZip(await written(sheet('1', rows)), { maxBytes: 10_000_000, maxEntries: 10 })
        const xml = String(zip.get('xl/worksheets/sheet1.xml'))
        const texts = [...xml.matchAll(/<t xml:space="preserve">([^<]*)<\/t>/g)].slice(2).map(([, one = '']) => one)
        const read = texts.map((one) =>
          one.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&'),
        )
        expect(read).toEqual(rows.flat().map(writableXml))
        expect(xml).toContain(`r="AN2"`)
      },
    ),
    { numRuns: 20 },
  )
})

it('fails when its rows fail, and lets go of them when the reader leaves', async () => {
  let isLeft = false
  async function* rows(failing: boolean) {
    try {
      for (let n = 0; n < 10_000; n++) {
        if (failing && n === 100) throw new Error('no base')
        yield [[`${n}`, `${Math.random()}`.repeat(100)]]
      }
    } finally {
      isLeft = true
    }
  }
  await expect(written({ ...sheet('1'), rows: rows(true) })).rejects.toThrow('no base')
  expect(isLeft).toBe(true)
  isLeft = false
  const chunks = xlsxStream(each({ ...sheet('1'), rows: rows(false) }))
  for await (const chunk of chunks) if (chunk.length > 1_000) break
  await expect.poll(() => isLeft, { timeout: 60_000 }).toBe(true)
})
