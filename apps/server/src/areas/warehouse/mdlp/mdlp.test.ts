import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { need } from '@ordinator/model/testing/needs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createXml } from '#platform/xml/xml.ts'
import { good } from '#testing/good.ts'
import { inputsAt } from '#testing/inputs.ts'
import { type MdlpSimulator, startMdlpSimulator } from '#testing/mdlpSimulator.ts'
import { type StockWorld, stockWorld } from '../testing/stockWorld.ts'
import { writeDocument } from './xml.ts'

let mdlp: MdlpSimulator
let world: StockWorld
let drug: number
const GTIN = '04607143560598'
const pack = (n: number) => `${GTIN}Serial${String(n).padStart(7, '0')}`

beforeAll(async () => {
  mdlp = await startMdlpSimulator()
  world = await stockWorld({ env: { MDLP_URL: mdlp.url } })
  drug = await world.product({ nameService: 'Кеторолак', gtin: GTIN, isMarked: true })
  for (const [name, value] of Object.entries({
    mdlpMode: 'simulator',
    signaturePlugin: 'simulator',
    mdlpClientId: 'clinic',
    mdlpUser: 'chief',
  }))
    await query('insert into common_settings (name, value) values ($1, $2::jsonb)', name, JSON.stringify(value))
})
afterAll(async () => {
  await world.clinic.close()
  await mdlp.close()
})

const query = <R>(text: string, ...values: unknown[]) => world.clinic.db.query<R>({ text, values })
/** Signs pending documents, and runs all due exchanges. */
async function exchange(): Promise<void> {
  const { outbox, jobs } = world.clinic.context
  for (const { id } of good(await world.keeper.get('/mdlp/documents?filter[status]=draft&sort=id')).items)
    await sign(id)
  await jobs.run('mdlp.exchange')
  for (let turn = 0; turn < 3; turn++) {
    await query(`update outbox set "dateDue" = now() where "state" in ('waiting', 'awaiting', 'claimed')`)
    await query(`delete from outbox_lanes`)
    await outbox.run('mdlp')
  }
}
/** By the simulator of signatures. */
async function sign(id: number): Promise<void> {
  const { content } = good(await world.keeper.get(`/mdlp/documents/${id}/content`))
  const [own] = good(await world.keeper.get('/signatures/simulator/certificates')).items
  const { signature } = good(
    await world.keeper.post('/signatures/simulator/sign', { thumbprint: own?.thumbprint ?? '', content }),
  )
  good(await world.keeper.post(`/mdlp/documents/${id}/sign`, { signature }))
}
const incoming = async () =>
  good(await world.keeper.get('/mdlp/documents?filter[direction]=in&filter[status]=incoming&sort=-id')).items
const codeOf = async (sgtin: string) => good(await world.keeper.get(`/mdlp/codes?filter[sgtin]=${sgtin}`)).items[0]

it('imports a notice of shipment once, accepts it by scan, and refuses the rest', async () => {
  mdlp.ship([pack(1), pack(2), pack(3)], 'УПД-7')
  await exchange()
  await exchange()
  const [document, ...more] = await incoming()
  expect([document.number, document.codesCount, more.length]).toEqual(['УПД-7', 3, 0])
  const scan = (code: string) => world.keeper.post(`/mdlp/documents/${document.id}/scan`, { code })
  expect(good(await scan(`01${GTIN}21${pack(1).slice(14)}`)).message).toBe('Отсканировано 1 из 3')
  expect((await scan(`01${GTIN}21${pack(1).slice(14)}`)).body[0].message).toContain('уже отсканирован')
  expect((await scan(`01${GTIN}21${pack(1).slice(14).toLowerCase()}`)).body[0].message).toContain('Caps Lock')
  good(await scan(`01${GTIN}21${pack(2).slice(14)}`))
  const taken = good(
    await world.keeper.post(`/mdlp/documents/${document.id}/accept`, { only: 'scanned', idWarehouse: world.main }),
  )
  expect(
    (await world.keeper.post(`/mdlp/documents/${document.id}/accept`, { only: 'all', idWarehouse: world.main })).status,
  ).toBe(409)
  expect(good(await world.keeper.get(`/warehouse/documents/${taken.idStockDocument}/lines`)).items).toMatchObject([
    { idProduct: drug, qty: 2, price: 110, sgtins: [pack(1), pack(2)] },
  ])
  await exchange()
  await exchange()
  const [yes, no] = ['accept', 'refusal_receiver'].map(
    (root) => mdlp.documents.find(({ xml }) => xml.includes(`<${root} `))?.xml,
  )
  expect(yes).toContain('<accept action_id="701">')
  expect(no).toMatch(/<refusal_receiver action_id="252">.*<reason>.*<sgtin>[^<]*0000003</)
  expect((await codeOf(pack(1))).status).toBe('in_circulation')
  expect((await codeOf(pack(3))).status).toBe('foreign')
})

it('reports an issue by 531, once even after a lost reply and an expired token', async () => {
  const receipt = await world.make({ kind: 'receipt', idTo: world.main, idSupplier: world.idSupplier }, [
    { idProduct: drug, qty: 2, price: 100, sgtins: [pack(1), pack(2)] },
  ])
  good(await world.keeper.post(`/warehouse/documents/${receipt}/post`, {}))
  const issue = await world.make({ kind: 'issue', idFrom: world.main }, [
    { idProduct: drug, qty: 1, sgtins: [pack(1)] },
  ])
  expect((await world.keeper.post(`/warehouse/documents/${issue}/mdlp`, {})).status).toBe(409)
  const statusOf = async () => good(await world.keeper.get(`/warehouse/documents/${issue}`)).mdlp
  expect(await statusOf()).toBeNull()
  good(await world.keeper.post(`/warehouse/documents/${issue}/post`, {}))
  expect(await statusOf()).toBe('none')
  const made = good(await world.keeper.post(`/warehouse/documents/${issue}/mdlp`, {}))
  expect(good(await world.keeper.post(`/warehouse/documents/${issue}/mdlp`, {})).id).toBe(made.id)
  const before = mdlp.documents.length
  mdlp.expire()
  mdlp.mood = 'lost'
  await exchange()
  expect((await world.keeper.get(`/mdlp/documents/${made.id}`)).body.status).toBe('processed')
  mdlp.mood = 'accepts'
  await exchange()
  await exchange()
  expect(mdlp.documents.length).toBe(before + 1)
  expect(good(await world.keeper.get(`/mdlp/documents/${made.id}`))).toMatchObject({
    status: 'processed',
    errors: null,
  })
  expect(await statusOf()).toBe('processed')
  const unsent = good(await world.keeper.get('/warehouse/documents?filter[mdlp]=none&fields=id')).items
  expect(unsent.map(({ id }: { id: number }) => id)).toContain(receipt)
  expect((await codeOf(pack(1))).status).toBe('out_of_circulation')
  // A reported document cannot be reversed on our side alone.
  expect((await world.keeper.post(`/warehouse/documents/${issue}/unpost`, {})).body.code).toBe('mdlp')
  const again = await world.make({ kind: 'issue', idFrom: world.main }, [
    { idProduct: drug, qty: 1, sgtins: [pack(1)] },
  ])
  good(await world.keeper.post(`/warehouse/documents/${again}/post`, {}))
  expect((await world.keeper.post(`/warehouse/documents/${again}/mdlp`, {})).body[0].message).toContain(
    'выведен из оборота',
  )
})

it('shows the reason of a refusal at each pack, and resends it as another request', async () => {
  const id = await world.make({ kind: 'opening', idTo: world.main }, [{ idProduct: drug, qty: 2, price: 1 }])
  good(await world.keeper.post(`/warehouse/documents/${id}/post`, {}))
  const off = await world.make({ kind: 'writeOff', idFrom: world.main, reason: 'Бой' }, [
    { idProduct: drug, qty: 2, sgtins: [pack(8), pack(9)] },
  ])
  good(await world.keeper.post(`/warehouse/documents/${off}/post`, {}))
  mdlp.mood = 'owner'
  const made = good(await world.keeper.post(`/warehouse/documents/${off}/mdlp`, {}))
  await exchange()
  await exchange()
  expect(good(await world.keeper.get(`/mdlp/documents/${made.id}`))).toMatchObject({
    status: 'failed',
    errors: [{ sgtin: pack(8), message: 'КИЗ принадлежит другому участнику' }, { sgtin: pack(9) }],
  })
  mdlp.mood = 'partial'
  good(await world.keeper.post(`/mdlp/documents/${made.id}/retry`, undefined))
  await exchange()
  await exchange()
  expect(good(await world.keeper.get(`/mdlp/documents/${made.id}`)).status).toBe('partial')
  expect([(await codeOf(pack(8))).status, (await codeOf(pack(9))).status]).toEqual([
    'in_circulation',
    'out_of_circulation',
  ])
  mdlp.mood = 'accepts'
  mdlp.states.set(pack(8), 'out_of_circulation')
  await world.clinic.context.jobs.run('mdlp.states')
  expect(good(await world.keeper.get('/mdlp/differences')).items).toMatchObject([
    { sgtin: pack(8), ours: 'in_circulation', theirs: 'out_of_circulation' },
  ])
})

it('queries a box of a notice, scans it as one, and opens it by 912', async () => {
  const sscc = '146070264000000017'
  mdlp.mood = 'accepts'
  mdlp.boxes.set(sscc, [pack(21), pack(22)])
  mdlp.ship([pack(20), sscc], 'УПД-короб')
  await exchange()
  const [document] = await incoming()
  expect(document).toMatchObject({ number: 'УПД-короб', codesCount: 3 })
  expect(good(await world.keeper.post(`/mdlp/documents/${document.id}/scan`, { code: `00${sscc}` })).message).toBe(
    'Отсканировано 2 из 3',
  )
  expect(good(await world.keeper.get(`/mdlp/documents/${document.id}/codes`)).items).toMatchObject([
    { sgtin: pack(20), sscc: null, price: 110 },
    { sgtin: pack(21), sscc, price: 110 },
    { sgtin: pack(22), sscc },
  ])
  good(await world.keeper.post(`/mdlp/documents/${document.id}/accept`, { only: 'all', idWarehouse: world.main }))
  await exchange()
  expect(await codeOf(pack(21))).toMatchObject({ status: 'in_circulation', sscc })
  good(await world.keeper.post('/mdlp/boxes/open', { code: `00${sscc}` }))
  // It stays a box until МДЛП has opened it.
  expect((await codeOf(pack(21))).sscc).toBe(sscc)
  await exchange()
  expect((await codeOf(pack(21))).sscc).toBeNull()
  expect(mdlp.documents.at(-1)?.xml).toContain(`<sscc>${sscc}</sscc>`)
})

it('a disposal by a registrar waits for its 10531, and unreported packs stay ours', async () => {
  await query(
    `insert into common_settings (name, value) values ('mdlpIssue', '"registrar"') on conflict (name) do update set value = excluded.value`,
  )
  const issue = await world.make({ kind: 'issue', idFrom: world.main }, [
    { idProduct: drug, qty: 2, sgtins: [pack(21), pack(22)] },
  ])
  await query('update mdlp_codes set "status" = $1 where "sgtin" = any ($2)', 'in_circulation', [pack(21), pack(22)])
  const opening = await world.make({ kind: 'opening', idTo: world.main }, [{ idProduct: drug, qty: 2, price: 1 }])
  good(await world.keeper.post(`/warehouse/documents/${opening}/post`, {}))
  good(await world.keeper.post(`/warehouse/documents/${issue}/post`, {}))
  const waiting = good(await world.keeper.post(`/warehouse/documents/${issue}/mdlp`, {}))
  expect(waiting).toMatchObject({ schema: '10531', status: 'device' })
  const before = mdlp.documents.length
  mdlp.dispose([pack(21)])
  await exchange()
  await exchange()
  expect(mdlp.documents.length).toBe(before)
  expect(good(await world.keeper.get(`/mdlp/documents/${waiting.id}`))).toMatchObject({
    status: 'partial',
    errors: [{ message: 'Регистратор сообщил о 1 из 2 кодов' }],
  })
  expect([(await codeOf(pack(21))).status, (await codeOf(pack(22))).status]).toEqual([
    'out_of_circulation',
    'in_circulation',
  ])
  await query(`update common_settings set value = '"document"' where name = 'mdlpIssue'`)
})

it('recalls packs handed over for destruction (541) by 250, and then the write-off can be reversed', async () => {
  const opening = await world.make({ kind: 'opening', idTo: world.main }, [{ idProduct: drug, qty: 1, price: 1 }])
  good(await world.keeper.post(`/warehouse/documents/${opening}/post`, {}))
  const off = await world.make({ kind: 'writeOff', idFrom: world.main, reason: 'Истёк срок годности' }, [
    { idProduct: drug, qty: 1, sgtins: [pack(30)] },
  ])
  good(await world.keeper.post(`/warehouse/documents/${off}/post`, {}))
  const destruction = {
    idOrganization: world.idSupplier,
    fias: '0c5b2444-70a0-4932-980c-b4dc0d3f02b5',
    actNumber: 'А-7',
    actDate: world.day(),
    ground: '1',
  }
  expect((await world.keeper.post(`/warehouse/documents/${off}/mdlp`, { destruction })).body[0]).toMatchObject({
    field: 'destruction.idOrganization',
  })
  await query(`update organizations set "kpp" = '772401001' where "id" = $1`, world.idSupplier)
  const made = good(await world.keeper.post(`/warehouse/documents/${off}/mdlp`, { destruction }))
  expect(made).toMatchObject({ schema: '541', status: 'draft' })
  // Unsigned documents are not sent.
  await world.clinic.context.outbox.run('mdlp')
  expect(mdlp.documents.some(({ xml }) => xml.includes('move_destruction'))).toBe(false)
  // An unsigned one can be cancelled and created again.
  good(await world.keeper.post(`/mdlp/documents/${made.id}/recall`, { reason: 'Не тот акт' }))
  expect((await codeOf(pack(30))).status).toBe('in_circulation')
  const again = good(await world.keeper.post(`/warehouse/documents/${off}/mdlp`, { destruction }))
  await exchange()
  expect((await codeOf(pack(30))).status).toBe('destroying')
  expect((await world.keeper.post(`/warehouse/documents/${off}/unpost`, {})).body.code).toBe('mdlp')
  good(await world.keeper.post(`/mdlp/documents/${again.id}/recall`, { reason: 'Ошиблись актом' }))
  await exchange()
  expect(good(await world.keeper.get(`/mdlp/documents/${again.id}`)).status).toBe('cancelled')
  expect((await codeOf(pack(30))).status).toBe('in_circulation')
  expect(mdlp.documents.at(-1)?.xml).toContain('<recall_action_id>541</recall_action_id>')
  good(await world.keeper.post(`/warehouse/documents/${off}/unpost`, {}))
})

const dir = inputsAt('mdlp-xsd')

const schemas = need('Схемы МДЛП 1.37 (папка inputs/mdlp-xsd рядом с кодом)', dir)
it.runIf(schemas.there)('generated documents match the schemas of 1.37', schemas.options, async () => {
  const xml = createXml({ warn() {} })
  const names = readdirSync(dir as string).filter((name) => name.endsWith('.xsd'))
  const schema = {
    main: 'documents.xsd',
    files: Object.fromEntries(names.map((name) => [name, new Uint8Array(readFileSync(join(dir as string, name)))])),
  }
  for (const schemaNo of [701, 252, 250, 415, 416, 431, 531, 541, 511, 552, 912] as const) {
    const text = writeDocument({
      schema: schemaNo,
      version: '1.37',
      place: '00000000100931',
      partner: '00000000200931',
      at: '2026-11-20T10:00:00Z',
      number: 'М-1 <«&»>',
      date: '2026-11-20',
      reason: 'Причина',
      recalled: { operationId: 'op-1', schema: '431' },
      destruction: {
        fias: '0c5b2444-70a0-4932-980c-b4dc0d3f02b5',
        inn: '7724053916',
        kpp: '772401001',
        actNumber: 'А-1',
        actDate: '2026-11-19',
        ground: '1',
        reason: '5',
      },
      items: schemaNo === 912 ? [{ sscc: '146070264000000014' }] : [{ sgtin: pack(1), cost: '10.00', vat: '1.00' }],
    })
    expect([schemaNo, await xml.validate(Buffer.from(text), schema, { who: 'test' })]).toEqual([schemaNo, []])
  }
  await xml.close()
  console.info(`11 documents by ${names.length} schemas from ${dir}`)
})
