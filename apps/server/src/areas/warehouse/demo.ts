import { Filial } from '@ordinator/model/areas/filials/filial'
import { Warehouse } from '@ordinator/model/areas/warehouse/warehouse'
import sql from 'sql-template-tag'
import type { Records } from '../../records/records.ts'

/** In each branch a main warehouse, from which goods go by default, and one of the treatment room. */
export async function demo(records: Records): Promise<void> {
  const system = records.asSystem
  const defaults: Record<string, number> = {}
  for (const { id } of await system.rows(Filial, { sort: 'id' })) {
    const main = await system.create(Warehouse, { name: 'Основной склад', idFilial: id, kind: 'main' })
    await system.create(Warehouse, { name: 'Процедурный кабинет', idFilial: id, kind: 'procedure' })
    defaults[id] = main.id
  }
  await records.tx((_, tx) =>
    tx.query(sql`insert into common_settings (name, value, version) values
      ('defaultWarehouses', ${JSON.stringify(defaults)}::jsonb, 1) on conflict (name) do nothing`),
  )
}
