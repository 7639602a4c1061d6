/** Registries of codes for outside systems: stored ahead of the exchange. */
import { EgiszDocument, EgiszStaff } from '@ordinator/model/areas/exchange/egisz'
import { Mapping, mappedFields } from '@ordinator/model/areas/exchange/mapping'
import type { Update } from '@ordinator/model/entity'
import { ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'

export const egiszDocuments = records(EgiszDocument)
export const egiszStaff = records(EgiszStaff)

export const mappings = records(Mapping, {
  hooks: {
    beforeCreate: (_, value) => assertOne(value),
    beforeUpdate: (_, value, before) => assertOne({ ...before, ...value }),
  },
})

/** @throws ValidationError unless the code refers to exactly one thing */
function assertOne(value: Update<typeof Mapping>): void {
  const named = mappedFields.filter((field) => typeof value[field] === 'number')
  if (named.length === 0)
    throw new ValidationError([{ field: 'idUser', message: 'Выберите, чей это код: сотрудника, филиала, услуги…' }])
  if (named.length > 1)
    throw new ValidationError([{ field: named[1] as string, message: 'Код бывает у чего-то одного: уберите лишнее' }])
}
