import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RegulationImport, RegulationView } from '@ordinator/model/areas/regulations/wire'
import { Document, ImageRun, Packer, Paragraph, TextRun } from 'docx'
import sharp from 'sharp'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkedZip } from '#platform/zip.ts'
import { form, picture } from '#testing/files.ts'
import { type Answer, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { bomb, twoFaced } from '#testing/zipBomb.ts'
import { allowOwnApproval, callers, desk } from './testing/desk.ts'

const M = '/regulations/model'
let clinic: Clinic
let outside: Server
let at: string
let answers: Record<string, { type: string; body: Buffer; to?: string }>
const as = callers(() => clinic)
const ids: Record<string, number> = {}
const writers = ['writer', 'approver', 'second', 'third'] as const
/** Rotates users, because repeated refusals are rate-limited per user. */
let asked = 0
const inTurn = () => writers[asked++ % writers.length]
const writer = () => desk(as('writer'))

beforeAll(async () => {
  const png = await picture(40, 30).png().toBuffer()
  const big = await sharp({
    create: {
      width: 1500,
      height: 1500,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer()
  answers = {
    '/good.png': { type: 'image/png', body: png },
    '/page.png': { type: 'image/png', body: Buffer.from('<!doctype html><html><body>Нет картинки</body></html>') },
    '/cut.png': { type: 'image/png', body: big.subarray(0, 3_000) },
    '/empty.png': { type: 'image/png', body: Buffer.alloc(0) },
    '/inside.png': { type: 'text/plain', body: Buffer.alloc(0), to: 'http://10.0.0.1/a.png' },
    '/script.svg': { type: 'image/svg+xml', body: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
  }
  outside = createServer((request, reply) => {
    const found = answers[request.url ?? '']
    if (request.url === '/huge.png') return void reply.writeHead(200, { 'content-length': String(2 ** 31) }).write(png)
    if (!found) return void reply.writeHead(404).end()
    if (found.to) return void reply.writeHead(302, { location: found.to }).end()
    reply.writeHead(200, { 'content-type': found.type }).end(found.body)
  })
  await new Promise<void>((done) => outside.listen(0, '127.0.0.1', done))
  at = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`
  clinic = await testApp({
    outbound: { allow: ['127.0.0.1'], timeout: 3_000 },
    async prepare(context) {
      await allowOwnApproval(context)
      for (const login of writers) ids[login] = (await addPerson(context, login, ['editScripts'])).id
      for (const login of ['reader', 'stranger']) ids[login] = (await addPerson(context, login)).id
    },
  })
})
afterAll(async () => {
  await clinic.close()
  outside.closeAllConnections()
  outside.close()
})

const faultOf = ({ status, body }: Answer) => [status, body?.[0]?.field, body?.[0]?.message]
const textOf = async (bytes: Buffer) => extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })

const rich =
  '<h2>Подготовка</h2><p>Проверьте <strong>имя</strong>, <em>дату</em> и <u>полис</u>, H<sub>2</sub>O.</p>' +
  '<ul><li><p>Маска</p></li><li><p>Перчатки</p></li></ul><ol><li><p>Первое</p></li><li><p>Второе</p></li></ol>' +
  '<p>См. <a href="https://clinic.example/rules" rel="noopener noreferrer" target="_blank">правила</a> &amp; «ё»</p>' +
  '<blockquote><p>Важно помнить</p></blockquote>' +
  '<table><tbody><tr><td><p>Вата</p></td><td><p>10 г</p></td></tr></tbody></table>'

async function full(): Promise<RegulationView> {
  const { id } = await writer().picture()
  return writer().regulation({
    name: 'Приём пациента: «первый» & повторный',
    description: 'Как встретить.\nИ проводить.',
    responsibleUser: ids.writer,
    stages: [
      {
        title: '1. Встретить',
        description: rich,
        timeEstimate: 75,
        importance: 'high',
        responsible: 'Администратор',
        images: [{ idFile: id, description: 'Стойка' }],
      },
      { title: '2.5 мл раствора', description: null },
      { title: 'Шаг в сторону', description: `<p>${'Долгий рассказ о шаге. '.repeat(400)}</p>` },
    ],
  })
}

describe('a regulation on paper', () => {
  it('contains the regulation over several pages, with a sheet to sign', async () => {
    const made = await full()
    const answer = await as('writer').get(`${M}/pdf?id=${made.id}&sheet=1`)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/pdf')
    expect(answer.headers['content-disposition']).toMatch(/^inline; filename="[\x20-\x7e]+"; filename\*=UTF-8''/)
    const { text, totalPages } = await textOf(answer.bytes)
    expect(totalPages).toBe(4)
    for (const words of [
      made.name,
      'И проводить.',
      'Черновик',
      '1. 1. Встретить',
      'Важность: Высокая',
      '1 ч 15 мин',
      'Администратор',
      'Подготовка',
      'Перчатки',
      '10 г',
      'Стойка',
      '2. 2.5 мл раствора',
      'Лист ознакомления',
      '4 из 4',
    ])
      expect(text).toContain(words)
    expect((await textOf((await as('writer').get(`${M}/pdf?id=${made.id}`)).bytes)).text).not.toContain('Лист ознаком')
  })

  it('lists people who must read it and who have, for users with the right', async () => {
    const { id } = await writer().regulation({ name: 'Ознакомление' })
    await writer().make('/regulations/audience', { idRegulation: id, idUser: ids.reader })
    const sheet = async (login: string) => (await textOf((await as(login).get(`${M}/pdf?id=${id}&sheet=1`)).bytes)).text
    expect(await sheet('writer')).toContain('reader')
    await writer().enforce(id)
    expect(await sheet('writer')).toContain('reader')
    expect(await sheet('stranger')).not.toContain('reader')
  })

  it.each(['pdf', 'docx'])('as %s is available to users who see the regulation', async (kind) => {
    const { id } = await writer().regulation({ name: 'Тайный' })
    expect((await as('stranger').get(`${M}/${kind}?id=${id}`)).status).toBe(404)
    expect((await clinic.anonymous.get(`${M}/${kind}?id=${id}`)).status).toBe(401)
    expect((await as('writer').get(`${M}/${kind}?id=0`)).status).toBe(400)
    await writer().enforce(id)
    expect((await as('stranger').get(`${M}/${kind}?id=${id}`)).status).toBe(200)
  })
})

const importOf = (file: Uint8Array, name = 'Порядок приёма.docx', login = 'writer') =>
  as(login).post<RegulationImport>(`${M}/import-docx`, form(file, name))
const document = (children: Paragraph[]) => Packer.toBuffer(new Document({ sections: [{ children }] }))
const p = (text: string, heading?: 'Heading1' | 'Heading2' | 'Heading3' | 'Title') =>
  new Paragraph({ text, ...(heading && { heading }) })

describe('a Word document', () => {
  it('exported opens with any characters in its texts', async () => {
    const made = await writer().regulation({
      name: 'А\u0001Б',
      stages: [{ title: 'Шаг\u000b', description: '<p>в\u0008г\ufffe</p>' }],
    })
    const { bytes } = await as('writer').get(`${M}/docx?id=${made.id}`)
    for (const [name, part] of checkedZip(bytes, { maxBytes: 1e6, maxEntries: 100 }))
      if (name.endsWith('.xml')) expect(/[^\t\n\r\u0020-\ufffd]/.test(part.toString()), name).toBe(false)
    const { status, body } = await importOf(bytes)
    expect([status, body.name]).toEqual([200, 'АБ'])
    expect(body.stages[0]).toMatchObject({ title: 'Шаг', description: expect.stringContaining('вг') })
  })

  it('exported is imported unchanged', async () => {
    const made = await full()
    const { bytes } = await as('writer').get(`${M}/docx?id=${made.id}&sheet=1`)
    const { status, body } = await importOf(bytes)
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: made.name, description: made.description, warnings: [] })
    expect(body.stages.map(({ title }) => title)).toEqual(made.stages.map(({ title }) => title))
    const bare = (html: string | null) => (html ?? '').replace(/<\/?(p|tbody|h\d)>/g, '').trim()
    expect(body.stages.map(({ description }) => bare(description))).toEqual(
      made.stages.map(({ description }) => bare(description)),
    )
    const [image] = body.stages[0]?.images ?? []
    expect((await as('writer').get(image?.url ?? '')).headers['content-type']).toBe('image/jpeg')
    const saved = await writer().regulation({ name: body.name, stages: body.stages })
    expect(saved.stages[0]?.images).toMatchObject([{ idFile: image?.idFile }])
    expect(saved.stages).toHaveLength(3)
  })

  it.each([
    [
      'headings of the level that there are several of',
      [
        p('О клинике', 'Heading1'),
        p('Встреча', 'Heading2'),
        p('Улыбнуться'),
        p('Детали', 'Heading3'),
        p('Проводы', 'Heading2'),
      ],
      ['Встреча', 'Проводы'],
    ],
    [
      'paragraphs that call themselves steps',
      [p('Введение'), p('Шаг 1. Встреча'), p('1. Улыбнуться'), p('Шаг 2 — Проводы')],
      ['Встреча', 'Проводы'],
    ],
    ['numbered paragraphs', [p('1. Встреча'), p('1.1. Улыбнуться'), p('2) Проводы')], ['Встреча', 'Проводы']],
    ['nothing of the kind', [p('Просто текст'), p('И ещё')], ['Шаг 1']],
  ])('is split by %s', async (_what, children, titles) => {
    const { status, body } = await importOf(await document(children))
    expect(status).toBe(200)
    expect(body.stages.map(({ title }) => title)).toEqual(titles)
    expect(body.name).toBe('Порядок приёма')
    const texts = body.stages.map(({ description }) => description).join('') + body.description
    if (children.length > 2) expect(texts).toContain('Улыбнуться')
  })

  it('reports skipped content: long titles continue in the text, unsupported pictures are named', async () => {
    const long = 'Длинное название '.repeat(20).trim()
    const file = await document([
      p(long, 'Heading1'),
      new Paragraph({
        children: [
          new TextRun('Схема'),
          new ImageRun({ type: 'png', data: Buffer.from('не картинка'), transformation: { width: 10, height: 10 } }),
        ],
      }),
    ])
    const { body } = await importOf(file)
    expect(body.stages[0]?.title).toBe(long.slice(0, 255).trim())
    expect(body.stages[0]?.description.replace(/<[^>]+>/g, ' ')).toMatch(/звание\s+Схема/)
    expect(body.stages[0]?.images).toEqual([])
    expect(body.warnings).toEqual([
      'Шаг 1: название длиннее 255 знаков, конец его перешёл в описание',
      expect.stringMatching(/^Шаг 1: картинка не перенесена\. /),
    ])
  })

  it('imports no active content', async () => {
    const { body } = await importOf(
      await document([p('Шаг', 'Heading1'), p('<img src=x onerror=alert(1)><script>alert(1)</script>')]),
    )
    expect(body.stages[0]?.description).toBe(
      '<p>&lt;img src=x onerror=alert(1)&gt;&lt;script&gt;alert(1)&lt;/script&gt;</p>',
    )
  })

  it.each([
    ['a text', () => Buffer.from('просто текст'), 'а.docx', 'Файл не похож на документ Word: нужен DOCX'],
    ['another type', () => Buffer.from('текст'), 'а.txt', 'Неподдерживаемый тип файла. Подойдёт: docx'],
    ['an old document', () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'а.docx', /^Это старый документ Word/],
    [
      'a file that breaks off',
      async () => (await document([p('Шаг')])).subarray(0, 900),
      'а.docx',
      'Файл повреждён: архив обрывается',
    ],
    ['another archive', () => bomb('xl/workbook.xml', 10), 'а.docx', 'Файл не похож на документ Word: нужен DOCX'],
    [
      'a zip bomb',
      () => bomb('word/document.xml', 300 * 1024 * 1024),
      'а.docx',
      'Файл слишком велик в распакованном виде',
    ],
    [
      'a text that is too large',
      () => bomb('word/document.xml', 40 * 1024 * 1024),
      'а.docx',
      'Файл слишком велик в распакованном виде',
    ],
    ['an empty document', () => document([]), 'а.docx', 'В документе нет текста'],
  ])('is refused: %s', async (_what, make, name, message) => {
    expect(faultOf(await importOf(await make(), name, inTurn()))).toEqual([422, 'file', expect.stringMatching(message)])
  })

  it('is read by its real directory, even with a second one', async () => {
    const files = async (text: string) =>
      new Map(checkedZip(await document([p(text)]), { maxBytes: 1e6, maxEntries: 100 }))
    const { status, body } = await importOf(twoFaced(await files('Показанное'), await files('Спрятанное')))
    expect([status, JSON.stringify(body).includes('Показанное')]).toEqual([200, true])
  })

  it('may have 20 MB, and requires the right to write regulations', async () => {
    expect((await importOf(Buffer.alloc(20 * 1024 * 1024 + 1))).status).toBe(413)
    expect((await importOf(Buffer.from('а'), 'а.docx', 'reader')).status).toBe(403)
  })
})

describe('a picture by its URL', () => {
  const fetched = (path: string, login = 'writer') =>
    as(login).post('/regulations/files/by-url', { url: path.startsWith('/') ? at + path : path })

  it('is stored here', async () => {
    const { status, body } = await fetched('/good.png')
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'good.png', extension: 'png', url: `/files/${body.id}` })
    expect((await as('writer').get(body.url)).headers['content-type']).toBe('image/png')
  })

  it.each([
    ['/page.png', /не картинка|повреждена/],
    ['/cut.png', 'Картинка повреждена: её не удалось прочитать'],
    ['/empty.png', 'По этому адресу пусто'],
    ['/script.svg', /не картинка/],
    ['/huge.png', /^Файл больше \d+ МБ$/],
    ['/inside.png', 'Этот адрес ведёт во внутреннюю сеть, обращаться к нему нельзя'],
    ['/none.png', 'Сайт не отдал файл: ответ 404'],
    ['http://10.0.0.1/a.png', 'Этот адрес ведёт во внутреннюю сеть, обращаться к нему нельзя'],
    ['file:///etc/passwd', 'Подойдёт только адрес http или https'],
    [' ', 'Введите ссылку'],
  ])('is refused: %s', async (path, message) => {
    expect(faultOf(await fetched(path))).toEqual([422, 'url', expect.stringMatching(message)])
  })

  it('requires the right to write regulations', async () => {
    expect((await fetched('/good.png', 'reader')).status).toBe(403)
  })
})
