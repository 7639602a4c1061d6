import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { XmlC14NMode, XmlDocument } from 'libxml2-wasm'
import { afterAll, expect, it } from 'vitest'
import { canonicalText } from './text.ts'
import { all, one, valueAt } from './tree.ts'
import { createXml, type XsdSchema } from './xml.ts'

const xml = createXml({ warn() {} })
afterAll(() => xml.close())
const bytes = (text: string) => new TextEncoder().encode(text)
const who = 'test'
const faults = async (source: string | Uint8Array, ask = {}) =>
  xml.parse(typeof source === 'string' ? bytes(source) : source, { who, ...ask }).then(
    () => [],
    (error: { faults: { message: string; line: number }[] }) => error.faults,
  )
const refusal = async (source: string | Uint8Array, ask = {}) => (await faults(source, ask))[0]?.message

/** Encodes text in windows-1251. */
function cp1251(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => {
    const code = char.charCodeAt(0)
    return code >= 0x410 && code <= 0x44f ? code - 0x350 : code
  })
}

it('reads a document in windows-1251 into plain data, and paths in it', async () => {
  const file = cp1251(
    '<?xml version="1.0" encoding="windows-1251"?>\n<Файл ИдФайл="ON_1"><Док Номер="0012"><Тов Цена="10.50">Бинт<!-- x --></Тов><Тов><![CDATA[<Вата>]]></Тов></Док></Файл>',
  )
  const root = await xml.parse(file, { who })
  expect(root.name).toBe('Файл')
  expect(valueAt(root, '@ИдФайл')).toBe('ON_1')
  expect(valueAt(root, 'Док/@Номер')).toBe('0012')
  expect(all(root, 'Док/Тов').map((node) => valueAt(node, 'text()'))).toEqual(['Бинт', '<Вата>'])
  expect(all(root, '//Тов')).toHaveLength(2)
  expect(one(root, 'Док/*')?.attributes).toEqual({ Цена: '10.50' })
  expect(valueAt(root, 'Док/Нет')).toBeUndefined()
})

it('finds by XPath with namespaces', async () => {
  const file = bytes('<a xmlns="urn:one" xmlns:x="urn:two"><b x:id="1">да</b><b x:id="2">нет</b></a>')
  const found = await xml.find(file, '//o:b[@t:id="2"]', { who, namespaces: { o: 'urn:one', t: 'urn:two' } })
  expect(found).toEqual([{ name: 'b', ns: 'urn:one', attributes: { id: '2' }, text: 'нет', children: [] }])
  const values = await xml.find(file, '//o:b/@t:id', { who, namespaces: { o: 'urn:one', t: 'urn:two' } })
  expect(values.map(({ name, text }) => [name, text])).toEqual([
    ['id', '1'],
    ['id', '2'],
  ])
})

it('refuses in words what is dangerous or broken, and goes on', async () => {
  const bomb = `<!-- c --><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>`
  expect(await refusal(bomb)).toContain('DOCTYPE')
  expect(await refusal(Buffer.from(`\ufeff${bomb}`, 'utf16le'))).toContain('DOCTYPE')
  expect(await refusal('<a>&x;</a>')).toBe('Неизвестная сущность &x;')
  expect(await refusal('<a>'.repeat(100_000))).toBe('Вложенность элементов больше 256')
  expect(await refusal('<a><b></a>')).toBe('Тег b (строка 1) закрыт тегом a')
  expect(await refusal('<a x="1" x="2"/>')).toBe('Атрибут x указан дважды')
  expect(await refusal('<a>1</a><a/>')).toBe('После конца документа есть лишнее')
  expect(await refusal('не xml')).toBe('Это не XML: нет открывающего тега')
  expect(await refusal('')).toBe('Файл пуст')
  expect(await refusal('<?xml version="1.0" encoding="x-made-up"?><a/>')).toContain('неизвестна')
  expect(await refusal(cp1251('<a>Я</a>'))).toContain('в другой кодировке')
  expect(await faults('<a>\n<b>01&#29;21</b></a>')).toEqual([
    { line: 2, message: 'В файле есть символ GS (код 29). В XML он запрещён: коды маркировки передаются без него' },
  ])
  expect(await refusal(new Uint8Array(33 * 1024 * 1024))).toBe('Файл XML больше 32 МБ')
  expect(await refusal('<a/>'.padEnd(2_000_000), { maxBytes: 1024 * 1024 })).toBe('Файл XML больше 1 МБ')
  expect((await xml.parse(bytes('<a/>'), { who })).name).toBe('a')
})

it('refuses a million elements, and cuts off what takes too long', async () => {
  expect(await refusal(`<a>${'<b/>'.repeat(1_100_000)}</a>`)).toBe('В файле слишком много элементов')
  const hasty = createXml({ warn() {} }, 1)
  await expect(hasty.parse(bytes(`<a>${'<b/>'.repeat(300_000)}</a>`), { who })).rejects.toThrow(
    /слишком велик|сейчас занят/,
  )
  await hasty.close()
})

const xsd = (body: string) => bytes(`<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${body}</xs:schema>`)
const schema: XsdSchema = {
  main: 'order.xsd',
  files: {
    'order.xsd': xsd(`<xs:include schemaLocation="types.xsd"/>
      <xs:element name="order"><xs:complexType><xs:sequence>
        <xs:element name="no" type="xs:positiveInteger"/>
        <xs:element name="gtin" type="gtin" maxOccurs="2"/>
      </xs:sequence><xs:attribute name="version" use="required" type="kind"/></xs:complexType></xs:element>`),
    'types.xsd':
      xsd(`<xs:simpleType name="gtin"><xs:restriction base="xs:string"><xs:pattern value="\\d{14}"/></xs:restriction></xs:simpleType>
      <xs:simpleType name="kind"><xs:restriction base="xs:string"><xs:enumeration value="1.37"/></xs:restriction></xs:simpleType>`),
  },
}

it('validates by a schema of several files and reports errors in Russian', async () => {
  const check = (text: string) => xml.validate(bytes(text), schema, { who })
  expect(await check('<order version="1.37"><no>1</no><gtin>04607143560598</gtin></order>')).toEqual([])
  const wrong = await check('<order version="2">\n<no>x</no>\n<gtin>46</gtin><extra/></order>')
  expect(wrong.map(({ line, message }) => `${line}: ${message}`)).toEqual([
    "1: Атрибут version элемента order: значения «2» нет среди допустимых: '1.37'",
    '2: Элемент no: недопустимое значение «x» (нужен тип xs:positiveInteger)',
    '3: Элемент gtin: значение «46» не подходит под образец \\d{14}',
    '3: Элемент extra здесь не ожидается',
  ])
  expect(wrong[3]?.path).toBe('/order/extra')
  expect(
    (await check('<order version="1.37"><gtin>04607143560598</gtin></order>')).map(({ message }) => message),
  ).toEqual(['Элемент gtin здесь не ожидается. Ожидается: no'])
  expect((await check('<order/>')).map(({ message }) => message)).toEqual([
    'Атрибут version элемента order обязателен',
    'В элементе order не хватает: no',
  ])
})

it('a schema that names a file beyond the given ones is refused', async () => {
  const files = { 'order.xsd': xsd('<xs:include schemaLocation="/etc/passwd"/>') }
  await expect(xml.validate(bytes('<a/>'), { main: 'order.xsd', files }, { who })).rejects.toThrow(
    'Схема order.xsd ссылается на «/etc/passwd», а такого файла нет',
  )
  await expect(xml.validate(bytes('<a/>'), { main: 'none.xsd', files: {} }, { who })).rejects.toThrow('Нет файла схемы')
})

it('writes text in the canonical form that libxml2 gives it', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: fc.constantFrom('&', '<', '>', '"', "'", '\r', '\n', '\t', 'я', '😀') }),
      ),
      (text) => {
        const written = `<a>${canonicalText(text)}</a>`
        const document = XmlDocument.fromString(written)
        expect(document.root.canonicalizeToString({ mode: XmlC14NMode.XML_C14N_EXCLUSIVE_1_0 })).toBe(written)
        document.dispose()
      },
    ),
    { numRuns: runs(200, 5000) },
  )
})
