import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readScan } from '@ordinator/model/areas/warehouse/gs1'
import { need } from '@ordinator/model/testing/needs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { all, one } from '#platform/xml/tree.ts'
import { createXml } from '#platform/xml/xml.ts'
import { good } from '#testing/good.ts'
import { inputsAt } from '#testing/inputs.ts'
import { type StockWorld, stockWorld } from './testing/stockWorld.ts'
import { decimalOf, readUpd } from './upd.ts'

let world: StockWorld
beforeAll(async () => {
  world = await stockWorld()
})
afterAll(() => world.clinic.close())

/** Characters in windows-1251. */
const cp1251 = (text: string) =>
  Buffer.from(
    Array.from(text, (char) => {
      const code = char.charCodeAt(0)
      return code >= 0x410 && code <= 0x44f ? code - 0x350 : code
    }),
  )

const line = (no: number, name: string, more: string, inside = '') =>
  `<СведТов НомСтр="${no}" НаимТов="${name}" ${more}><ДопСведТов АртикулТов="A-${no}" ${inside.startsWith('<') ? `>${inside}</ДопСведТов>` : `${inside}/>`}</СведТов>`
const upd = (version: string, head: string, lines: string) =>
  `<?xml version="1.0" encoding="windows-1251"?><Файл ВерсФорм="${version}"><Документ><СвСчФакт ${head}><СвПрод><ИдСв><СвЮЛУч ИННЮЛ="7724053916"/></ИдСв></СвПрод></СвСчФакт><ТаблСчФакт>${lines}</ТаблСчФакт></Документ></Файл>`

/** Uploads raw bytes. */
async function load(id: number, bytes: Buffer) {
  const token = await world.keeper.token()
  const answer = await world.clinic.app.server.inject({
    method: 'POST',
    url: `/warehouse/documents/${id}/import`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    payload: bytes,
  })
  return {
    status: answer.statusCode,
    body: JSON.parse(answer.payload),
    text: answer.payload,
    bytes: answer.rawPayload,
    headers: answer.headers as Record<string, string | string[] | undefined>,
  }
}

it.each([
  ['5.01', 'НомерСчФ="77" ДатаСчФ="05.11.2026"'],
  ['5.02', 'НомерДок="77" ДатаДок="05.11.2026"'],
  ['5.03', 'НомерДок="77" ДатаДок="05.11.2026"'],
])(
  'imports a УПД %s in windows-1251 as lines, matched by article, name and GTIN, money to the kopeck',
  async (version, head) => {
    const byArticle = await world.product({ article: `A-1`, nameService: `По артикулу ${version}` })
    const byName = await world.product({ nameService: `По имени ${version}` })
    const id = await world.make({ kind: 'receipt', idTo: world.main })
    const file = upd(
      version,
      head,
      line(1, 'Что-то', 'КолТов="3" ЦенаТов="10.333" СтТовУчНал="37.20" НалСт="20%"', `СерияТов="AB12"`) +
        line(
          2,
          `По имени ${version}`,
          'КолТов="2.5" ЦенаТов="4" СтТовУчНал="10.00" НалСт="без НДС"',
          '<НомСредИдентТов><КИЗ>нет такого</КИЗ></НомСредИдентТов>',
        ) +
        line(3, 'Неизвестное', 'КолТов="0" ЦенаТов="1" СтТовУчНал="0"') +
        line(4, `Новое ${version}`, 'КолТов="1" ЦенаТов="1" СтТовУчНал="1.10" НалСт="10%"'),
    )
    const { added, unmatched, remarks, document } = good(await load(id, cp1251(file)))
    expect([added, unmatched, document.externalNumber, document.externalDate, document.idSupplier]).toEqual([
      3,
      1,
      '77',
      '2026-11-05',
      world.idSupplier,
    ])
    expect(remarks.join('\n')).toMatch(/код «нет такого».*\n.*«Неизвестное»: количество/)
    const { items } = good(await world.keeper.get(`/warehouse/documents/${id}/lines`))
    expect(items).toMatchObject([
      { idProduct: byArticle, qty: 3, price: 10.33, sum: 37.2, series: 'AB12', vatCode: '20' },
      { idProduct: byName, qty: 2.5, price: 4, sum: 10, vatCode: 'none' },
      { idProduct: null, sourceName: `Новое ${version}` },
    ])
    // A choice is remembered: the same name matches next time.
    expect((await world.keeper.post(`/warehouse/documents/${id}/post`, {})).body).toEqual([
      { field: `lines.${items[2].id}`, message: `Выберите товар: «Новое ${version}»` },
    ])
    const chosen = await world.product()
    good(await world.keeper.put(`/warehouse/lines/${items[2].id}`, { idProduct: chosen }))
    const again = await world.make({ kind: 'receipt', idTo: world.main, idSupplier: world.idSupplier })
    const second = good(await load(again, cp1251(upd(version, head, line(9, `Новое ${version}`, 'КолТов="1"')))))
    expect([second.unmatched, second.remarks[0]]).toEqual([0, expect.stringContaining('уже загружен')])
    good(await world.keeper.put(`/services/${byArticle}`, { article: null }))
  },
)

it.each([
  ['entities', '<!DOCTYPE a [<!ENTITY x "1">]><a>&x;</a>', 'DOCTYPE'],
  ['100,000 levels', '<a>'.repeat(100_000), 'Вложенность'],
  [
    'a separator of groups',
    upd('5.02', '', line(1, 'A', 'КолТов="1"', '<НомСредИдентТов><КИЗ>01&#29;21</КИЗ></НомСредИдентТов>')),
    'GS',
  ],
  ['another version', upd('5.99', '', ''), '5.99'],
  ['the title of the buyer', '<Файл ВерсФорм="5.02"><Документ/></Файл>', 'титул продавца'],
  ['no rows', upd('5.02', '', ''), 'нет строк'],
  ['a table without its columns', 'имя;штук\nA;1', 'Наименование'],
  ['nothing', '', 'пуст'],
])('a file with %s is refused with a message, and adds nothing', async (_what, text, words) => {
  const id = await world.make({ kind: 'receipt', idTo: world.main })
  const { status, body } = await load(id, text.includes('windows-1251') ? cp1251(text) : Buffer.from(text))
  expect([status, body[0].message]).toEqual([422, expect.stringContaining(words)])
  expect(good(await world.keeper.get(`/warehouse/documents/${id}`)).linesCount).toBe(0)
})

it('a table becomes lines by its column headers', async () => {
  const idProduct = await world.product({ nameService: 'Вата 50 г' })
  const id = await world.make({ kind: 'opening', idTo: world.main })
  const { added, unmatched, remarks } = good(
    await load(
      id,
      Buffer.from(
        'Наименование;Кол-во;Цена;Сумма;Серия;Годен до\nВата 50 г;1 000,5;12,30;;S1;12.2027\nЧто-то;много;1;;;\nИтого;1;;12306,15;;\n',
      ),
    ),
  )
  expect([added, unmatched, remarks]).toEqual([1, 0, [expect.stringContaining('«много» не читается')]])
  expect(good(await world.keeper.get(`/warehouse/documents/${id}/lines`)).items).toMatchObject([
    { idProduct, qty: 1000.5, price: 12.3, series: 'S1', expiry: '2027-12-31' },
  ])
})

it('units are those of the good: packs become pieces, the sum stays, what does not fit is reported', async () => {
  const pack = await world.product({ nameService: 'Шприц 5 мл', unit: 'шт.', packUnit: 'Коробка', packRatio: 50 })
  await world.product({ nameService: 'Бинт 7×14', unit: 'шт.' })
  const id = await world.make({ kind: 'receipt', idTo: world.main, idSupplier: world.idSupplier })
  const file = upd(
    '5.02',
    'НомерДок="88" ДатаДок="05.11.2026"',
    line(
      1,
      'Шприц 5 мл',
      'ОКЕИ_Тов="778" НаимЕдИзм="упак" КолТов="10" ЦенаТов="500" СтТовУчНал="5500" НалСт="10%"',
      '<ИнфПолФХЖ2 Идентиф="Срок годности" Значен="март 2027"/>',
    ) +
      line(
        2,
        'Бинт 7×14',
        'ОКЕИ_Тов="778" НаимЕдИзм="упак" КолТов="2" ЦенаТов="100" СтТовУчНал="244" НалСт="22%"',
        'СрокГодн="скоро"',
      ) +
      line(3, 'Новый шприц', 'ОКЕИ_Тов="778" НаимЕдИзм="упак" КолТов="3" ЦенаТов="500" СтТовУчНал="1650" НалСт="19%"') +
      '<ВсегоОпл СтТовУчНалВсего="7400.00"/>',
  )
  const { remarks } = good(await load(id, cp1251(file.replace('×', 'x').replace('×', 'x'))))
  expect(remarks.join('\n')).toMatch(/7\s400.*7\s394.*разница 6/)
  expect(remarks.join('\n')).toMatch(/«скоро» не читается/)
  expect(remarks.join('\n')).toMatch(/ставка НДС «19%» не читается/)
  const read = async () => good(await world.keeper.get(`/warehouse/documents/${id}/lines`)).items
  const [first, second, third] = await read()
  expect(first).toMatchObject({
    idProduct: pack,
    qty: 500,
    sourceQty: 10,
    sourceUnit: 'упак',
    price: 10,
    sum: 5500,
    expiry: '2027-03-31',
    vatCode: '10',
  })
  good(await world.keeper.put(`/warehouse/lines/${third.id}`, { idProduct: pack }))
  expect((await read())[2]).toMatchObject({ qty: 150, price: 10, sum: 1650, sourceQty: 3 })
  const bandage = await world.product({ unit: 'шт.' })
  good(await world.keeper.put(`/warehouse/lines/${second.id}`, { idProduct: bandage }))
  const refused = await world.keeper.post(`/warehouse/documents/${id}/post`, {})
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('единица упак')])
  good(await world.keeper.post(`/warehouse/documents/${id}/post`, { sure: true }))
})

it('decimals are parsed as text and rounded once', () => {
  expect(['0.005', '10,333', '12', '-1.999', '1e5', ''].map((text) => decimalOf(text, 2))).toEqual([
    '0.01',
    '10.33',
    '12.00',
    '-2.00',
    null,
    null,
  ])
})

const inputs = inputsAt('.')

const files = need('Настоящие УПД и коды (папка inputs рядом с кодом)', inputs)
it.runIf(files.there)('real files are parsed if they are available', files.options, async () => {
  const xml = createXml({ warn() {} })
  let read = 0
  const dir = join(inputs as string, 'upd')
  for (const name of readdirSync(dir).filter((one) => one.endsWith('.xml'))) {
    const root = await xml.parse(readFileSync(join(dir, name)), { who: 'test' })
    read++
    if (!one(root, 'Документ/ТаблСчФакт')) {
      expect(() => readUpd(root)).toThrow('титул')
      continue
    }
    const { lines, remarks, number } = readUpd(root)
    expect(number).toBeTruthy()
    expect(lines.length + remarks.length).toBeGreaterThanOrEqual(all(root, 'Документ/ТаблСчФакт/СведТов').length)
  }
  const { codes, spellingsOfOneMedicineCode } = JSON.parse(
    readFileSync(join(inputs as string, 'gs1/datamatrix.json'), 'utf8'),
  )
  for (const { raw, gtinOk } of codes) {
    const answer = readScan(raw)
    if (gtinOk) expect(answer).toHaveProperty('code')
  }
  const sgtin = '04607143560598FGXEAGA5A1GAH'
  const refused = spellingsOfOneMedicineCode.filter(({ raw }: { raw: string }) => {
    const answer = readScan(raw)
    return !('code' in answer) || answer.code.sgtin !== sgtin
  })
  expect(refused.map(({ how }: { how: string }) => how.slice(0, 12))).toEqual([
    'Russian layo',
    'Caps Lock: t',
    'two codes ru',
  ])
  await xml.close()
  console.info(`read ${read} УПД, ${codes.length} codes, ${spellingsOfOneMedicineCode.length} spellings from ${inputs}`)
})
