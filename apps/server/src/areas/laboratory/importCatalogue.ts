/**
 * Import of the test catalogue from a file in the format of its export; a test is matched by its laboratory and code,
 * else by name.
 */
import { can } from '@ordinator/model/access'
import { LabTest } from '@ordinator/model/areas/laboratory/catalogue'
import { biomaterials, sections, temperatures } from '@ordinator/model/areas/laboratory/words'
import type { Create } from '@ordinator/model/entity'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import {
  byNames,
  type Cells,
  type Checked,
  given,
  type Importer,
  type ImporterColumn,
  offerImporter,
  plainName,
  rowReader,
} from '#areas/imports/index.ts'
import { forbidden } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'

const columns: readonly ImporterColumn[] = [
  {
    name: 'Название',
    field: 'name',
    required: true,
    also: ['исследование', 'наименование'],
    examples: ['Глюкоза', 'Креатинин'],
  },
  { name: 'Код', field: 'code', examples: ['GLU', 'CREA'] },
  { name: 'Отдел', field: 'section', examples: ['Биохимия', 'Гематология'] },
  { name: 'Панель', field: 'isPanel', examples: ['Нет', 'Да'] },
  { name: 'Лаборатория', field: 'idLaboratory', required: true, examples: ['Своя лаборатория', 'Партнёр'] },
  { name: 'Биоматериал', field: 'biomaterial', examples: ['Сыворотка крови', 'Моча'] },
  { name: 'Контейнер', field: 'idContainer', also: ['пробирка'], examples: ['Жёлтая, гель', 'Фиолетовая, ЭДТА'] },
  { name: 'Объём, мл', field: 'minVolume', also: ['объём'], examples: ['0,5', '1'] },
  { name: 'Температура', field: 'tempMode', examples: ['+2…8 °C', '+18…25 °C'] },
  { name: 'Проба годна, ч', field: 'stableHours', examples: ['24', '72'] },
  { name: 'Срок, раб. дней', field: 'termDays', also: ['срок', 'срок, дней'], examples: ['1', '3'] },
  { name: 'Принимается до', field: 'cutoff', examples: ['12:00', '17:30'] },
  { name: 'Подготовка', field: 'preparation', examples: ['Строго натощак', ''] },
  { name: 'Метод', field: 'method', examples: ['Колориметрия', 'ИФА'] },
  { name: 'Код лаборатории', field: 'labCode', also: ['labcode', 'код партнёра'], examples: ['03-001', 'B120'] },
  { name: 'Себестоимость', field: 'cost', also: ['цена лаборатории'], examples: ['120', '48,50'] },
  { name: 'Код 804н', field: 'medicalCode', also: ['804н', 'номенклатура'], examples: ['A09.05.023', 'A09.05.020'] },
  { name: 'Код ФСЛИ', field: 'fsli', also: ['фсли'], examples: ['1149228', '1006477'] },
  { name: 'LOINC', field: 'loinc', examples: ['40161-2', '14682-9'] },
  { name: 'Действует', field: 'active', examples: ['Да', 'Нет'] },
]

interface Named {
  id: number
  name: string
}
type Body = Create<typeof LabTest>
/** An existing test with the fields that a file can change. */
type Known = Named & { idLaboratory: number; code: string | null; labCode: string | null }

interface Ready {
  laboratories: Map<string, Named[]>
  containers: Map<string, Named[]>
  tests: Known[]
}
interface Values {
  id: number | undefined
  body: Body
}

const importCatalogue: Importer<Record<never, never>, Cells, Ready, Values> = {
  kind: 'laboratory',
  label: 'Каталог исследований',
  access: 'editLaboratories',
  params: z.strictObject({}),
  columns,
  changes: [LabTest],
  async open({ records, tx }) {
    if (!can(records.actor, 'create', LabTest)) throw forbidden('Вам нельзя менять каталог исследований')
    const named = async (rows: Sql) => byNames(await tx.query<Named>(rows), ({ name }) => [name])
    return {
      laboratories: await named(sql`select "id", "name" from laboratory_list where not "deleted"`),
      containers: await named(sql`select "id", "name" from laboratory_containers where not "deleted"`),
      tests: await tx.query<Known>(
        sql`select "id", "name", "idLaboratory", "code", "labCode" from laboratory_catalog where not "deleted" order by "id"`,
      ),
    }
  },
  check,
  async write({ records }, _, { id, body }) {
    if (id !== undefined) {
      await records.update(LabTest, id, body)
      return []
    }
    const made = await records.create(LabTest, body)
    return [{ path: LabTest.path, id: made.id }]
  },
}

export const offerCatalogue = (app: AppContext): void => offerImporter(app, importCatalogue)

/** The test of a row: in its laboratory, by the first present of code, laboratory code and name. */
function known({ tests }: Ready, idLaboratory: number, row: Partial<Body>): Known | undefined {
  const own = tests.filter((one) => one.idLaboratory === idLaboratory)
  const same = (a: string | null | undefined, b: string | null | undefined) =>
    Boolean(a && b && plainName(a) === plainName(b))
  return (
    own.find(({ code }) => same(code, row.code)) ??
    own.find(({ labCode }) => same(labCode, row.labCode)) ??
    own.find(({ name }) => same(name, row.name))
  )
}

function check(ready: Ready, cells: Cells): Checked<Values> {
  const { errors, text, chosen, yesNo, number, ...row } = rowReader(columns, cells)
  const found = (column: string, among: Ready['laboratories']) =>
    text(column) ? row.named(column, among, 'такого нет')?.id : undefined
  // An empty cell keeps the value of a test that exists.
  const body = given({
    ...row.fields(),
    section: chosen('Отдел', sections),
    biomaterial: chosen('Биоматериал', biomaterials),
    tempMode: chosen('Температура', temperatures),
    isPanel: yesNo('Панель'),
    active: yesNo('Действует'),
    idLaboratory: found('Лаборатория', ready.laboratories),
    idContainer: found('Контейнер', ready.containers),
    minVolume: number('Объём, мл'),
    stableHours: number('Проба годна, ч'),
    termDays: number('Срок, раб. дней'),
    cost: number('Себестоимость'),
  }) as Body
  if (!text('Лаборатория')) row.refuse('Лаборатория', 'Укажите лабораторию')
  const there = body.idLaboratory === undefined ? undefined : known(ready, body.idLaboratory, body)
  if (errors.length === 0) row.check(LabTest, body, 'create', 'Название')
  if (errors.length) return { errors }
  if (there?.id === 0) return { errors: [{ field: 'Код', message: 'Это исследование в файле уже было' }] }
  if (!there)
    ready.tests.push({
      id: 0,
      name: body.name,
      idLaboratory: body.idLaboratory,
      code: body.code ?? null,
      labCode: body.labCode ?? null,
    })
  return {
    values: { id: there?.id, body },
    notes: there ? [{ field: 'Название', message: `Будет изменено: «${there.name}»` }] : [],
  }
}
