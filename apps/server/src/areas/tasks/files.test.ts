import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { long } from '@ordinator/model/testing/needs'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { form, liar, picture } from '#testing/files.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPeople, good, hands } from './testing/hands.ts'

const T = '/tasks-management'
let clinic: Clinic
let ids: Record<string, number>
let owner: Caller
let anna: Caller

beforeAll(async () => {
  clinic = await testApp({ prepare: async (app) => void (ids = await addPeople(app, { owner: [], anna: [] })) })
  owner = clinic.as('owner')
  anna = clinic.as('anna')
})
afterAll(() => clinic.close())

const send = (content: Uint8Array | string, name: string, who: Caller = owner) =>
  who.post(`${T}/files`, form(content, name))
const stored = () =>
  readdirSync(clinic.config.files, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length

describe('an upload', () => {
  it('creates the record and the previews of a picture', async () => {
    const file = good(await send(await picture(2000, 1000).jpeg().toBuffer(), 'Снимок экрана.jpg'), 201)
    expect(file).toMatchObject({
      name: 'Снимок экрана.jpg',
      extension: 'jpg',
      idUser: ids.owner,
      url: `/files/${file.id}`,
      meta: {
        category: 'image',
        type: 'image/jpeg',
        width: 2000,
        height: 1000,
        previews: ['small', 'medium', 'large'],
      },
    })
    const sizes = []
    for (const size of ['small', 'medium', 'large']) {
      const preview = await owner.get(`${file.url}/${size}`)
      expect(preview.headers['content-type']).toBe('image/webp')
      sizes.push((await sharp(preview.bytes).metadata()).width)
    }
    expect(sizes).toEqual([240, 720, 1600])
  })

  it.each<[string, string | Uint8Array, string, string, string]>([
    ['text', 'Просто текст', 'заметка.txt', 'txt', 'text'],
    ['text of a Windows machine', Uint8Array.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]), 'старое.txt', 'txt', 'text'],
    ['a table', 'а;б\n1;2\n', 'таблица.csv', 'csv', 'excel'],
    ['a PDF by its content', '%PDF-1.7\n%âãÏÓ\n', 'фото.jpg', 'pdf', 'pdf'],
    ['HTML that calls itself a picture', '<html><script>alert(1)</script>', 'кот.png', 'html', 'html'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'рисунок.txt', 'svg', 'image'],
    ['a script', 'alert(1)', 'app.js', 'js', 'js'],
    [
      'a program that calls itself a document',
      Uint8Array.from([0x4d, 0x5a, ...Array(200).fill(0)]),
      'счёт.docx',
      'exe',
      'exe',
    ],
    ['bytes of no known kind', Uint8Array.from([0, 1, 2, 3, 4, 5, 6]), 'что-то.txt', 'bin', 'other'],
  ])('detects %s by content', async (_, content, name, extension, category) => {
    const file = good(await send(content, name), 201)
    expect([file.extension, file.meta.category]).toEqual([extension, category])
    const answer = await owner.get(file.url)
    const inline = extension === 'pdf'
    expect(answer.headers['content-disposition']).toMatch(inline ? /^inline/ : /^attachment/)
    expect(answer.headers['content-type']).toBe(inline ? 'application/pdf' : 'application/octet-stream')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.headers['content-security-policy']).toContain(inline ? "default-src 'none'" : 'sandbox')
    expect(answer.bytes).toEqual(Buffer.from(content))
  })

  it.each<[string, () => FormData | Promise<FormData>, number, string]>([
    ['nothing', () => new FormData(), 422, 'Выберите файл'],
    ['a file in another field', () => form('x', 'x.txt', 'image'), 422, 'Файл должен быть в поле file'],
    ['an empty file', () => form('', 'пусто.txt'), 422, 'Файл пуст'],
    [
      'a picture cut short',
      async () => form((await picture(900, 900).png({ compressionLevel: 0 }).toBuffer()).subarray(0, 40_000), 'x.png'),
      422,
      'Картинка повреждена: её не удалось прочитать',
    ],
    [
      'a bomb',
      async () => form(await liar(50_000), 'x.png'),
      422,
      'Слишком большая картинка: 50000 × 50000 точек, а можно не больше 130 млн точек',
    ],
  ])('of %s is refused and leaves nothing', async (_, make, status, message) => {
    const before = stored()
    const answer = await owner.post(`${T}/files`, await make())
    expect([answer.status, answer.body]).toEqual([status, [{ field: 'file', message }]])
    expect(stored()).toBe(before)
  })

  it.runIf(long.there)('larger than 100 MB is refused', long.options, async () => {
    const answer = await send(new Uint8Array(104_857_601), 'x.bin')
    expect([answer.status, answer.body.message]).toEqual([413, 'Файл больше 100\u00a0МБ'])
  })

  it('requires the form and a sign-in', async () => {
    const body = { name: 'x', extension: 'png', size: 1, key: 'secret', meta: {} }
    expect((await owner.post(`${T}/files/batch`, { create: [body] })).status).toBe(403)
    expect((await owner.post(`${T}/files`, body)).status).toBeGreaterThanOrEqual(400)
    expect((await clinic.anonymous.post(`${T}/files`, form('x', 'x.txt'))).status).toBe(401)
  })

  it('leaves nothing when interrupted', async () => {
    const before = stored()
    const count = async () =>
      (await clinic.db.one<{ n: number }>({ text: 'select count(*)::int as n from tasks_management_files' }))?.n
    const records = await count()
    const { port } = new URL(await clinic.listen())
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `POST ${T}/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await owner.token()}\r\nContent-Type: multipart/form-data; boundary=b\r\n` +
        'Content-Length: 900000\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n',
    )
    socket.write('а'.repeat(50_000))
    // An upload has a folder of its own while it runs.
    const running = () => readdirSync(join(clinic.config.dataDir, 'tmp')).length
    await expect.poll(running).toBe(1)
    socket.destroy()
    await expect.poll(running).toBe(0)
    expect([stored(), await count()]).toEqual([before, records])
  })

  it.each([
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['C:\\Документы\\справка.txt', 'справка.txt'],
    ['счёт\u202Etxt.exe', 'счётtxt.exe'],
    [`${'я'.repeat(300)}.txt`, `${'я'.repeat(251)}.txt`],
  ])('cleans the name %j', async (given, name) => {
    expect(good(await send('x', given), 201).name).toBe(name)
  })
})

describe('a file is served', () => {
  it('to its author, and to those who see a task with it', async () => {
    const board = await hands(owner).board()
    await hands(owner).member(board.id, ids.anna as number, { permissionToViewTasks: 'all' })
    const task = await hands(owner).task(board.idColumnNew)
    const file = good(await send(await picture(300, 300).png().toBuffer(), 'x.png'), 201)
    expect((await anna.get(file.url)).status).toBe(404)
    expect((await anna.get(`${T}/files/${file.id}`)).status).toBe(404)
    expect((await clinic.anonymous.get(file.url)).status).toBe(401)
    const own = await hands(anna).task(undefined)
    const stolen = await anna.post(`${T}/task-files`, { idTask: own.id, idFile: file.id })
    expect(stolen.body).toEqual([{ field: 'idFile', message: 'Запись не найдена' }])
    expect((await anna.post(`${T}/task-files`, { idTask: task.id, idFile: file.id })).status).toBe(422)
    const attached = good(await owner.post(`${T}/task-files`, { idTask: task.id, idFile: file.id }), 201)
    expect((await anna.get(file.url)).status).toBe(200)
    expect(good(await anna.get(`${T}/tasks/${task.id}?expand=files.file`))).toMatchObject({
      filesCount: 1,
      files: [{ file: { url: file.url } }],
    })
    good(await owner.put(`${T}/tasks/${task.id}`, { idCover: file.id }))
    expect((await owner.delete(`${T}/task-files/${attached.id}`)).status).toBe(204)
    expect(good(await owner.get(`${T}/tasks/${task.id}`)).idCover).toBeNull()
    expect((await anna.get(file.url)).status).toBe(404)
  })

  it('as cover only if it is a picture of the task', async () => {
    const task = await hands(owner).task(undefined)
    const file = good(await send('text', 'x.txt'), 201)
    const refusal = [{ field: 'idCover', message: 'Обложкой может быть только картинка из вложений задачи' }]
    expect((await owner.put(`${T}/tasks/${task.id}`, { idCover: file.id })).body).toEqual(refusal)
    good(await owner.post(`${T}/task-files`, { idTask: task.id, idFile: file.id }), 201)
    expect((await owner.put(`${T}/tasks/${task.id}`, { idCover: file.id })).body).toEqual(refusal)
  })

  it('whole, in ranges, or not again', async () => {
    const { url } = good(await send('0123456789', 'x.txt'), 201)
    const whole = await owner.get(url)
    expect(whole.headers).toMatchObject({
      'accept-ranges': 'bytes',
      'content-length': '10',
      'cache-control': 'private, no-cache',
    })
    const part = (range: string, more = {}) => owner.get(url, { headers: { range, ...more } })
    expect(await part('bytes=2-4').then((a) => [a.status, a.text, a.headers['content-range']])).toEqual([
      206,
      '234',
      'bytes 2-4/10',
    ])
    expect(await part('bytes=7-').then((a) => a.text)).toBe('789')
    expect(await part('bytes=-3').then((a) => a.text)).toBe('789')
    expect(await part('bytes=5-999').then((a) => a.text)).toBe('56789')
    expect(await part('bytes=10-').then((a) => [a.status, a.headers['content-range']])).toEqual([416, 'bytes */10'])
    expect(await part('bytes=1-2', { 'if-range': '"old"' }).then((a) => a.status)).toBe(200)
    expect((await owner.get(url, { headers: { 'if-none-match': String(whole.headers.etag) } })).status).toBe(304)
  })

  it('under its own name, in any alphabet', async () => {
    const { url } = good(await send(await picture(10, 10).png().toBuffer(), 'Скан "1".png'), 201)
    const shown = await owner.get(url)
    expect(shown.headers['content-disposition']).toMatch(/^inline; filename="[\x20-\x7e]+"; filename\*=UTF-8''%D0%A1/)
    expect((await owner.get(`${url}?download=1`)).headers['content-disposition']).toMatch(/^attachment/)
    expect((await owner.get(`${url}/small`)).headers['content-type']).toBe('image/png')
    expect((await owner.get(`${url}/huge`)).status).toBe(404)
    expect((await owner.get('/files/999999')).status).toBe(404)
  })
})
