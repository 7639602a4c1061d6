/** Supported files, and rejected ones that are no table. */
import { afterAll, describe, expect, it } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import { checkedZip } from '#platform/zip.ts'
import { good } from '#testing/good.ts'
import { bomb, twoFaced } from '#testing/zipBomb.ts'
import { importClinic } from './testing/boards.ts'

const { clinic, board, cards, owner, preview } = await importClinic()
afterAll(() => clinic.close())

describe('reading', () => {
  const cyrillic = (text: string) =>
    Uint8Array.from([...text].map((c) => (c >= 'А' && c <= 'я' ? c.charCodeAt(0) - 0x350 : c.charCodeAt(0))))

  const encoded = (encoding: string, text: string) => {
    const bytes = Array.from({ length: 256 }, (_, code) => new TextDecoder(encoding).decode(Uint8Array.of(code)))
    return Uint8Array.from([...text].map((sign) => bytes.indexOf(sign)))
  }

  it.each([
    ['UTF-8 with a mark', '\uFEFFНазвание;Важность\r\nПервая;3'],
    ['UTF-8 with commas', 'Название,Важность\nПервая,3'],
    ['bars', 'Название|Важность\nПервая|3'],
    ['line ends of an old Mac', 'Название;Важность\rПервая;3'],
    ['a total below', 'Название;Важность\nПервая;3\nИтого: 1;\n;Всего;'],
    ['marks in the heads', '«Название»;Важность.\nПервая;3'],
    ['tabs', 'Название\tВажность\nПервая\t3\n\n'],
    ['windows-1251', cyrillic('Название;Важность\r\nПервая;3')],
    ['CP866', encoded('ibm866', 'Название;Важность\r\nПервая;3\r\n\u001a')],
    ['KOI8-R', encoded('koi8-r', 'Название;Важность\r\nПервая;3')],
    ['capitals in windows-1251', encoded('windows-1251', 'НАЗВАНИЕ;ВАЖНОСТЬ\r\nПервая;3')],
    ['other heads', 'Задача;Приоритет\nПервая;3'],
    [
      'titles and blank lines above the head',
      'Задачи на декабрь, клиника «Мир», отдел 2\n\n;\nНазвание;Важность\nПервая;3',
    ],
    ['invisible marks and letters of macOS', '\u200bНазвание;Важность\nПе\u00adрвая;3'],
  ])('reads %s', async (_what, file) => {
    const { id } = await board()
    const previewed = good(await preview(owner, file, id))
    expect(previewed).toMatchObject({ total: 1, wrong: 0, mapping: { Название: 0, Важность: 1 }, errors: [] })
    expect(previewed.rows[0]).toMatchObject({ row: 1, values: { Название: 'Первая', Важность: '3', Колонка: 'Новые' } })
    expect(await cards(owner, id)).toEqual([])
  })

  it('keeps UTF-8 with one invalid byte, and reads a bare quote as a character', async () => {
    const { id } = await board()
    const text =
      'Название;Описание;Важность\nЗаказать у ООО "Ромашка";Письмо "срочно", два листа;3\n"В ""кавычках""";;1\nХ;;2\n'
    const bytes = Buffer.from(text)
    bytes[bytes.indexOf(Buffer.from('Х;;2'))] = 0xff
    const previewed = good(await preview(owner, bytes, id))
    expect(previewed.reading).toEqual({ encoding: 'utf-8', headLine: 1 })
    expect(previewed.rows.map(({ values }: { values: Record<string, string> }) => values.Название).slice(0, 2)).toEqual(
      ['Заказать у ООО "Ромашка"', 'В "кавычках"'],
    )
    expect(previewed.rows[0].values.Описание).toBe('Письмо "срочно", два листа')
  })

  it('reads a file again in another encoding and with another header, and imports it so', async () => {
    const { id } = await board()
    const previewed = good(await preview(owner, encoded('windows-1251', 'Итого;5\nЗадача 1;x\nЗадача 2;y'), id))
    expect(previewed.lines).toEqual([
      ['Итого', '5'],
      ['Задача 1', 'x'],
      ['Задача 2', 'y'],
    ])
    const asked = (reading: object, mapping?: object) =>
      owner.post('/imports/check', { upload: previewed.upload, reading, mapping })
    expect(good(await asked({ encoding: 'koi8-r' })).head[0].name).toBe('хРНЦН')
    expect((await asked({ headLine: 9 })).body).toEqual([
      { field: 'file', message: expect.stringContaining('Строка 9') },
    ])
    const again = good(await asked({ headLine: 2 }, { Название: 0 }))
    expect(again).toMatchObject({ total: 1, reading: { encoding: 'windows-1251', headLine: 2 } })
    good(
      await owner.post('/imports', { upload: previewed.upload, reading: { headLine: 2 }, mapping: { Название: 0 } }),
      201,
    )
    await clinic.context.jobs.drain()
    expect((await cards(owner, id)).map((one) => one.task.name)).toEqual(['Задача 2'])
  })

  it('reads XLSX: real dates, numbers, marks', async () => {
    const { id } = await board()
    const head = ['Название', 'Срок', 'Важность', 'Завершена'].map((value) => ({ value }))
    const date = { value: new Date('2026-12-05T18:30:00Z'), type: Date, format: 'dd.mm.yyyy hh:mm' }
    const row = [{ value: 'Из таблицы' }, date, { value: 7, type: Number }, { value: true, type: Boolean }]
    const made = await writeXlsxFile([head, row] as never)
    const previewed = good(await preview(owner, await made.toBuffer(), id, 'задачи.xlsx'))
    expect(previewed.errors).toEqual([])
    expect(previewed.rows[0].values).toMatchObject({
      Название: 'Из таблицы',
      Срок: '05.12.2026 18:30',
      Важность: '7',
      Завершена: 'Да',
    })
  })

  it('reads only the parts of a spreadsheet named in its directory, whatever else the archive has', async () => {
    const { id } = await board()
    const sheetOf = async (name: string) => {
      const made = await writeXlsxFile([[{ value: 'Название' }], [{ value: name }]] as never)
      return new Map(checkedZip(Buffer.from(await made.toBuffer()), { maxBytes: 1e6, maxEntries: 100 }))
    }
    const file = twoFaced(await sheetOf('Показанная'), await sheetOf('Спрятанная'))
    const previewed = good(await preview(owner, file, id, 'задачи.xlsx'))
    expect(previewed.rows.map((row: { values: Record<string, string> }) => row.values.Название)).toEqual(['Показанная'])
  })

  it.each([
    ['an empty file', '', 'Файл пуст'],
    ['a head alone', 'Название\n', 'В файле нет ни одной строки под заголовком'],
    ['a picture', Uint8Array.from([137, 80, 78, 71, 0, 0, 0, 1]), 'Файл не похож на таблицу: нужен CSV, XLSX или DBF'],
    ['an old spreadsheet', Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0, 1]), /старого Excel/],
    ['too many rows', `Название\n${'x\n'.repeat(10_001)}`, /больше 10.000 строк/],
    ['a broken archive', 'PK\x03\x04 nothing', /повреждён/],
    ['a zip bomb', () => bomb('xl/workbook.xml', 300 * 1024 * 1024), 'Файл слишком велик в распакованном виде'],
  ])('refuses %s', async (_what, file, message) => {
    const { id } = await board()
    const answer = await preview(owner, typeof file === 'function' ? file() : file, id)
    expect(answer.status).toBe(422)
    expect(answer.body[0]).toMatchObject({ field: 'file', message: expect.stringMatching(message) })
    expect(good({ ...answer, status: 200 })).toHaveLength(1)
    expect(
      await clinic.db.query({
        text: `select 1 from import_uploads where "fileName" = 'задачи.csv' and "params" = $1`,
        values: [JSON.stringify({ idBoard: id })],
      }),
    ).toEqual([])
  })
})
