import { crc32, deflateSync } from 'node:zlib'
import { evaluate, type RecordData } from '@ordinator/model/areas/prints/evaluate'
import type { Needs } from '@ordinator/model/areas/prints/variables'
import { entityAt } from '@ordinator/model/entities'
import { type Entity, relationOf } from '@ordinator/model/entity'
import { getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import type { Caller } from '#testing/harness.ts'
import { drawPaper } from './paper.ts'
import { readyTemplates } from './readyTemplates.ts'
import { readTexts } from './templates.ts'
import { desk, keeper, openPrintClinic, patient, template } from './testing/printClinic.ts'

openPrintClinic()

const preview = async (body: object, as: Caller = keeper) =>
  good(await as.post('/print-templates/preview', { entity: 'customers', ...body }))

describe('a picture', () => {
  const draw = (more: object = {}, maxBytes?: number) =>
    drawPaper(
      {
        body: `<p>Текст</p>${'<p>Длинный договор</p>'.repeat(120)}`,
        header: '<p><img src="/files/1" alt="Знак"></p>',
        footer: '',
      },
      {
        title: 'Договор',
        clinicName: '',
        sheet: { size: [595, 842], margins: { top: 40, right: 40, bottom: 40, left: 40 } },
        size: 10,
        copies: 5,
        hasPageNumbers: true,
        signs: [],
        pictures: { '/files/1': new Uint8Array(png(40, 40)) },
        ...more,
      },
      {},
      maxBytes,
    )

  it('is in a document once, on however many pages it is shown', async () => {
    const made = await draw()
    expect((await getDocumentProxy(new Uint8Array(made))).numPages).toBeGreaterThan(10)
    expect(made.toString('latin1').match(/\/Subtype \/Image/g)).toHaveLength(1)
  })

  it('together with other content is refused with a message when the document grows too large', async () => {
    await expect(draw({}, 5_000)).rejects.toThrow('Документ слишком велик')
  })
})

/** A grey PNG without transparency. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    const body = Buffer.concat([Buffer.from(type), data])
    size.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([size, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height, 128))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe('a template', () => {
  it('is edited with the right to set up the clinic', async () => {
    expect((await desk.post('/print-templates', { name: 'А', entity: 'customers' })).status).toBe(403)
    expect((await desk.post('/print-templates/preview', { entity: 'customers', body: 'а' })).status).toBe(403)
  })

  it.each([
    [{ body: '<p>{{ Нет такого }}</p>' }, 'body', 'Неизвестная переменная «Нет такого»'],
    [{ header: '<p>{{ если ФИО }}</p>' }, 'header', 'нет «{{ конец }}»'],
    [{ marginLeft: 80, marginRight: 80, paper: 'a5' }, 'marginRight', 'не остаётся места'],
    [{ validFrom: '2026-05-01', validTo: '2026-04-01' }, 'validTo', 'раньше первого'],
    [{ entity: 'roles' }, 'entity', ''],
    [{ copies: 11 }, 'copies', ''],
  ])('is refused with a message: %o', async (body, field, message) => {
    const { status, body: errors } = await keeper.post('/print-templates', { name: 'А', entity: 'customers', ...body })
    expect([status, errors[0].field]).toEqual([422, field])
    expect(errors[0].message).toContain(message)
  })

  it('keeps its former texts', async () => {
    const { id } = await template()
    good(await keeper.put(`/print-templates/${id}`, { body: '<p>Иначе: {{ ФИО }}</p>' }))
    const { items } = good(await keeper.get(`/print-templates/${id}/history?field=body`))
    expect(items[0].changes.body).toEqual(['<p>{{ ФИО }}</p>', '<p>Иначе: {{ ФИО }}</p>'])
  })

  it('is previewed with a record, with any content, and executes none of it', async () => {
    const { id } = await patient({ note: '<img src=x onerror=alert(1)>{{ Телефон }}' })
    const preview2 = await preview({
      record: id,
      body: '<p onclick="x()">{{ Примечание }}</p><script>alert(1)</script><p>{{ № | qr }}{{ Фио отца }}</p>',
    })
    expect(preview2.body).toContain('<p>&lt;img src=x onerror=alert(1)&gt;{{ Телефон }}</p>')
    expect(preview2.body).not.toContain('script')
    expect(preview2.body).toContain('src="data:image/svg+xml;base64,')
    expect(preview2.problems).toEqual(['Неизвестная переменная «Фио отца»'])
    expect((await preview({ body: '{{' })).problems).toEqual(['Скобки не закрыты: «{{»'])
  })
})

describe('standard templates', () => {
  it('are created at once, only missing ones, also concurrently; with the right to set up the clinic', async () => {
    expect((await desk.post('/print-templates/ready')).status).toBe(403)
    good(
      await keeper.post('/print-templates', { name: 'талон на приём', entity: 'appointments', body: '<p>Свой</p>' }),
      201,
    )
    const added = (await Promise.all([1, 2].map(() => keeper.post('/print-templates/ready')))).map(
      (answer) => good(answer).added,
    )
    expect(added.sort((one, other) => one - other)).toEqual([0, readyTemplates.length - 1])
    const named = async (name: string) =>
      good(await keeper.get(`/print-templates?filter[name][ilike]=${encodeURIComponent(name)}`)).items
    expect(await named('Талон на приём')).toMatchObject([{ body: '<p>Свой</p>' }])
    const [reference] = await named('Справка о посещении врача')
    expect(reference).toMatchObject({ kind: 'reference', paper: 'a5', isInForce: true })
    // A deleted one is created again, and nothing else.
    good(await keeper.delete(`/print-templates/${reference.id}`), 204)
    expect(good(await keeper.post('/print-templates/ready'))).toEqual({ added: 1 })
    expect(good(await keeper.post('/print-templates/ready'))).toEqual({ added: 0 })
  })
})

describe.each(readyTemplates.map((template) => [template.name, template] as const))(
  'standard template «%s»',
  (_, template) => {
    const entity = entityAt(template.entity) as Entity
    const { text, bound, errors } = readTexts(template, entity)
    const context = { timeZone: 'Europe/Moscow', today: '2026-11-20' }
    /** Data that the template needs: of mandatory fields alone, or of all. */
    const dataOf = (at: Entity | undefined, needs: Needs, isFull: boolean): RecordData => ({
      shown: at?.title && (isFull || at.fields[at.title]?.options.required) ? 'Название' : isFull ? 'Название' : '',
      of: {
        ...Object.fromEntries(
          [...needs.fields].map((name) => {
            const field = at?.all[name]
            const isThere = isFull || field?.options.required === true || name === 'fio' || name === 'shortFio'
            const number = /money|decimal|integer/.test(String(field?.kind))
            const day = /date/i.test(String(field?.kind))
            return [
              name,
              {
                shown: isThere ? (number ? '100' : day ? '09.02.1981' : 'слово') : '',
                raw: isThere ? (number ? 100 : day ? '1981-02-09' : 'слово') : null,
              },
            ]
          }),
        ),
        ...Object.fromEntries(
          [...needs.relations].map(([name, inner]) => {
            const relation = at && relationOf(at, name)
            const other = entityAt(relation?.to ?? '')
            const isMany = relation?.kind !== 'one'
            const isThere = isFull || isMany || at?.fields[relation.by]?.options.required === true
            const one = dataOf(other, inner, isFull)
            return [name, isThere ? (isMany ? [one] : one) : { shown: '', raw: null }]
          }),
        ),
      },
    })
    const printed = (isFull: boolean): string[] => {
      const around = [...bound.around].map(([key, needs]) => {
        const other = { '@user': 'users', '@filial': 'filials', '@organization': 'organizations' }[key]
        return [key, dataOf(entityAt(other ?? ''), needs, isFull)]
      })
      const words = ['@number', '@today', '@now', '@clinic'].map((key) => [
        key,
        { shown: key === '@clinic' && !isFull ? '' : 'слово', raw: 'слово' },
      ])
      const record = dataOf(entity, bound.needs, isFull)
      const root = { ...record, of: { ...record.of, ...Object.fromEntries([...words, ...around]) } }
      return (['header', 'body', 'footer'] as const).flatMap((part) => {
        const made = evaluate(text[part], root, context)
        expect(made).toHaveProperty('html')
        return (made as { html: string }).html
          .split(/<\/?(?:p|td|th|li|h\d|br|tr|table|tbody|ol|ul)[^>]*>/)
          .map((block) =>
            block
              .replace(/<[^>]+>/g, '')
              .replace(/\s+/g, ' ')
              .trim(),
          )
          .filter(Boolean)
      })
    }

    it.each([
      ['mandatory fields alone', false],
      ['all fields', true],
    ] as const)('reads well with %s', (_name, isFull) => {
      expect(errors).toEqual([])
      for (const block of printed(isFull)) {
        expect(block).not.toMatch(/,\s*[,.]|^,|,$|\(\s*\)|null|undefined|NaN|\s,/)
        if (isFull) expect(block).not.toMatch(/ИНН(?!\s*[/А-Яа-я0-9_—])/)
      }
    })
  },
)
