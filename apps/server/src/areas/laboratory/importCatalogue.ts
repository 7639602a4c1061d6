/**
 * Import of the test catalogue from a file in the format of its export; a test is matched by its laboratory and code,
 * else by name.
 */
import { can } from '@ordinator/model/access'
import { LabTest } from '@ordinator/model/areas/laboratory/catalogue'
import type { Create } from '@ordinator/model/entity'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import {
  byNames,
  type Cells,
  type Checked,
  columnsFor,
  given,
  type Importer,
  offerImporter,
  plainName,
  rowReader,
} from '#areas/imports/index.ts'
import { forbidden } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'

const columns = columnsFor(LabTest, [
  {
    field: 'name',
    also: ['исследование', 'наименование'],
    examples: ['Глюкоза', 'Креатинин'],
  },
  { field: 'code', examples: ['GLU', 'CREA'] },
  { field: 'section', strict: true, examples: ['Биохимия', 'Гематология'] },
  { field: 'isPanel', examples: ['Нет', 'Да'] },
  { field: 'idLaboratory', examples: ['Своя лаборатория', 'Партнёр'] },
  { field: 'biomaterial', strict: true, examples: ['Сыворотка крови', 'Моча'] },
  { field: 'idContainer', also: ['пробирка'], examples: ['Жёлтая, гель', 'Фиолетовая, ЭДТА'] },
  { field: 'minVolume', also: ['объём'], examples: ['0,5', '1'] },
  { field: 'tempMode', strict: true, examples: ['+2…8 °C', '+18…25 °C'] },
  { field: 'stableHours', examples: ['24', '72'] },
  { field: 'termDays', also: ['срок', 'срок, дней'], examples: ['1', '3'] },
  { field: 'cutoff', examples: ['12:00', '17:30'] },
  { field: 'preparation', examples: ['Строго натощак', ''] },
  { field: 'method', examples: ['Колориметрия', 'ИФА'] },
  { field: 'labCode', also: ['labcode', 'код партнёра'], examples: ['03-001', 'B120'] },
  { field: 'cost', also: ['цена лаборатории'], examples: ['120', '48,50'] },
  { field: 'medicalCode', also: ['804н', 'номенклатура'], examples: ['A09.05.023', 'A09.05.020'] },
  { field: 'fsli', also: ['фсли'], examples: ['1149228', '1006477'] },
  { field: 'loinc', examples: ['40161-2', '14682-9'] },
  { field: 'active', examples: ['Да', 'Нет'] },
])

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
  const { errors, text, ...row } = rowReader(columns, cells)
  const found = (column: string, among: Ready['laboratories']) =>
    text(column) ? row.named(column, among, 'такого нет')?.id : undefined
  // An empty cell keeps the value of a test that exists.
  const body = given({
    ...row.values(),
    idLaboratory: found('Лаборатория', ready.laboratories),
    idContainer: found('Контейнер', ready.containers),
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
