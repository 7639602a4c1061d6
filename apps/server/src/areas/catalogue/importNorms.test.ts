/** Import of service norms from a file: by code or by name, each once, with undo. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { csv, importFiles } from '#testing/importFiles.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let keeper: Caller
let reader: Caller
let files: ReturnType<typeof importFiles>
let idService: number
let ids: Record<'gloves' | 'gel', number>

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'keeper', ['editServices'])
      await addPerson(app, 'reader', ['viewServices'])
    },
  })
  ;[keeper, reader] = [clinic.as('keeper'), clinic.as('reader')]
  files = importFiles(clinic, 'norms')
  const make = async (body: object) => good(await keeper.post('/services', { priceService: 100, ...body }), 201).id
  idService = await make({ nameService: 'УЗИ щитовидной железы', code: 'A04.22.001' })
  ids = {
    gloves: await make({ nameService: 'Перчатки', code: 'П-1', serviceCategory: 1, unit: 'пара' }),
    gel: await make({ nameService: 'Гель  для УЗИ', serviceCategory: 1 }),
  }
  await make({ nameService: 'Бинт', serviceCategory: 1 })
  await make({ nameService: 'Бинт', code: 'Б-2', serviceCategory: 1 })
})
afterAll(() => clinic.close())

const norms = async () =>
  good(await keeper.get(`/service-consumables?filter[idService]=${idService}&sort=id`)).items.map(
    ({ idProduct, qty, unit, optional }: Record<string, unknown>) => [idProduct, qty, unit, optional],
  )

it('are matched by code or by name, and each invalid row has an error', async () => {
  const file = csv(
    'Код услуги;Материал;Норма;Единица;По необходимости',
    'a04.22.001;П-1;2;пара;',
    'УЗИ щитовидной железы;гель для узи;15,5;мл;да',
    'УЗИ щитовидной железы;Перчатки;3;;',
    'УЗИ почек;Перчатки;1;;',
    'УЗИ щитовидной железы;УЗИ щитовидной железы;1;;',
    'УЗИ щитовидной железы;Бинт;1;;',
    'УЗИ щитовидной железы;Б-2;0;;',
    'УЗИ щитовидной железы;Б-2;много;;',
  )
  const run = await files.take(keeper, file, {}, { skipWrong: true })
  expect(run).toMatchObject({ state: 'done', created: 2, failed: 6 })
  expect(await norms()).toEqual([
    [ids.gloves, 2, 'пара', false],
    [ids.gel, 15.5, 'мл', true],
  ])
  // A word that is neither yes nor no is left out with a note; the norm goes in without it.
  const unread = csv('Услуга;Материал;Количество;По необходимости', 'A04.22.001;Б-2;1;может быть')
  expect(good(await files.preview(keeper, unread, {}))).toMatchObject({
    wrong: 0,
    errors: [{ row: 1, field: 'По необходимости', note: true }],
  })
  // Existing norms get the amount of the file; equal ones stay.
  await files.take(keeper, csv('Услуга;Материал;Количество', 'A04.22.001;П-1;4', 'A04.22.001;Гель для УЗИ;15,5'))
  expect((await norms()).map(([, qty]: unknown[]) => qty)).toEqual([4, 15.5])
  expect((await files.preview(reader, file, {})).status).toBe(403)
})

it('match names with any dashes, apostrophes, marks and combined letters', async () => {
  const make = async (body: object) => good(await keeper.post('/services', { priceService: 100, ...body }), 201).id
  await make({ nameService: 'УЗИ – йод’ная проба', serviceCategory: 0 })
  const idProduct = await make({ nameService: 'Крем - бальзам', serviceCategory: 1 })
  const run = await files.take(
    keeper,
    csv('Услуга;Материал;Количество', "УЗИ — и\u0306од'ная\u200b проба;Крем–бальзам;1"),
    {},
    { skipWrong: true },
  )
  expect(run).toMatchObject({ created: 1, failed: 0 })
  const { items } = good(await keeper.get(`/service-consumables?filter[idProduct]=${idProduct}`))
  expect(items).toHaveLength(1)
})

it('can be undone', async () => {
  const run = await files.take(keeper, csv('Услуга;Материал;Количество', 'A04.22.001;Б-2;1'))
  expect(await norms()).toHaveLength(3)
  await files.revert(keeper, run)
  expect(await norms()).toHaveLength(2)
})
